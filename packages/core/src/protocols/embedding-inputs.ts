import type { EmbeddingInput, EmbeddingOptions, EmbeddingRequest, Embedding } from '../ir/embedding.ts'
import { DragomanError } from '../ir/error.ts'
import { reportForeignExtras } from '../ir/foreign-extras.ts'
import type { Losses } from '../ir/loss.ts'
import type { Part } from '../ir/part.ts'
import { defined } from '../lib/members.ts'
import { decodeFloats, encodeFloats } from '../lib/float32.ts'
import { notAnAnswer } from './read-body.ts'

const OPTIONS = ['dimensions', 'taskType', 'title'] as const

/** Options that all inputs share, for their request. An option in which inputs differ stays with them. */
export function sharedOptions(inputs: readonly EmbeddingInput[]): {
  readonly shared: EmbeddingOptions
  readonly inputs: readonly EmbeddingInput[]
} {
  const [first] = inputs
  const same = OPTIONS.filter(
    (option) => first?.[option] !== undefined && inputs.every((input) => input[option] === first[option]),
  )
  if (first === undefined || same.length === 0) return { shared: {}, inputs }
  const shared = Object.fromEntries(same.map((option) => [option, first[option]]))
  const rest = inputs.map((input) => {
    const copy: { -readonly [Option in keyof EmbeddingOptions]: EmbeddingOptions[Option] } = { ...input }
    for (const option of same) delete copy[option]
    return copy as EmbeddingInput // only optional members are gone
  })
  return { shared, inputs: rest }
}

/** An option of an input: its own, or that of its request. */
export function optionOf<Option extends keyof EmbeddingOptions>(
  request: EmbeddingRequest,
  input: EmbeddingInput,
  option: Option,
): EmbeddingOptions[Option] {
  return input[option] ?? request[option]
}

/** Reports the extras of other protocols in a request; with `ofInputs` undefined, those of its own inputs too. */
export function reportForeignInputs(
  { extras: own, inputs }: EmbeddingRequest,
  protocol: string,
  ofInputs: string | undefined,
  losses: Losses,
): void {
  reportForeignExtras(own, protocol, losses)
  for (const [index, { extras }] of inputs.entries())
    if (extras !== undefined) reportForeignExtras(extras, ofInputs, losses, ['inputs', index])
}

/** An input that is read as one text: its other parts are lost, or joined. */
export function asText(input: EmbeddingInput, text: string, owner: string): EmbeddingInput {
  const { dimensions, taskType, title, extras } = input
  const own = extras?.[owner] === undefined ? undefined : { [owner]: extras[owner] }
  return defined({ type: 'text', text, dimensions, taskType, title, extras: own })
}

/** The texts of an input as one, for protocols that have one text for each embedding. */
export function joinTexts(parts: readonly Part[], index: number, protocol: string): string {
  const texts = parts.map((part, position) => {
    if (part.type !== 'text')
      throw unsupportedInput(`inputs.${index}.parts.${position}`, `${protocol} embeds only texts`)
    return part.text
  })
  return texts.join('\n')
}

/** The numbers of an embedding. Throws if an upstream sent something else. */
export function numbersOf({ values }: Embedding): readonly number[] {
  const numbers = typeof values === 'string' ? decodeFloats(values) : values
  if (numbers === undefined) throw notAnAnswer()
  return numbers
}

/** The base64 of an embedding. */
export function base64Of({ values }: Embedding): string {
  return typeof values === 'string' ? values : encodeFloats(values)
}

/** The error for a value that a protocol cannot express, not even nearly. */
export function unsupportedInput(path: string, why: string): DragomanError {
  return new DragomanError('unsupported', `${path}: ${why}.`, { param: path })
}
