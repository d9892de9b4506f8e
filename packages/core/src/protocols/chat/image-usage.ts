import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import { reportForeignExtras } from '../../ir/foreign-extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { readCount, type Usage } from '../../ir/usage.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { isEmpty, numberOf, objectOf, type JsonObject } from '../../lib/json.ts'
import type { Encoding } from '../context.ts'
import { reportUnsupported } from '../member-tables.ts'
import { IMAGE_TABLES } from './image-members.ts'
import { imageUsage, type WireImageUsage } from './image-schema.ts'
import { NAME } from './schema.ts'

const KNOWN = known(imageUsage)

/** The usage of images has its own names. The total is derived. */
export function decodeImageUsage(wire: WireImageUsage): Usage {
  const usage: Draft<Usage> = {}
  const input = readCount(wire.input_tokens, usage)
  const output = readCount(wire.output_tokens, usage)
  const cacheRead = readCount(objectOf(wire.input_tokens_details).cached_tokens, usage)
  const modalities = defined({
    input: countsOf(wire.input_tokens_details, usage),
    output: countsOf(wire.output_tokens_details, usage),
  })
  if (input !== undefined) usage.input = input
  if (output !== undefined) usage.output = output
  if (cacheRead !== undefined) usage.cacheRead = cacheRead
  if (!isEmpty(modalities)) usage.modalities = modalities
  return keep(usage, NAME, unknownOf(wire, KNOWN))
}

type Details = NonNullable<WireImageUsage['output_tokens_details']>

function countsOf(details: Details | undefined, usage: Draft<Usage>): JsonObject | undefined {
  const { image_tokens, text_tokens } = objectOf(details)
  const counts = defined({ image: readCount(image_tokens, usage), text: readCount(text_tokens, usage) })
  return isEmpty(counts) ? undefined : counts
}

export function encodeImageUsage(usage: Usage, losses: Losses, context: Encoding): WireImageUsage {
  const { input = 0, output = 0, cacheRead, modalities } = usage
  if (usage.input === undefined) losses.added(['input'], 0, 'chat usage counts the input')
  if (usage.output === undefined) losses.added(['output'], 0, 'chat usage counts the output')
  reportUnsupported(usage, IMAGE_TABLES.usage, losses, context)
  reportForeignExtras(usage.extras, NAME, losses)
  const counted = losses.at('modalities')
  if (modalities?.cached !== undefined) counted.dropped(['cached'], 'chat usage of images has no cached modalities')
  const given = encodeCounts(modalities?.output, 'output', counted)
  const wire: Draft<WireImageUsage> = {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: defined({ cached_tokens: cacheRead }, encodeInput(usage, input, losses)),
  }
  if (given !== undefined) wire.output_tokens_details = given
  return restore(NAME, usage, wire)
}

/** Clients read the details of the input without a test: what is unknown counts as text. */
function encodeInput({ modalities }: Usage, input: number, losses: Losses): Details {
  const given = encodeCounts(modalities?.input, 'input', losses.at('modalities'))
  if (given !== undefined) return given
  const counts = { image: 0, text: input }
  const reason = 'chat usage of images tells them apart'
  if (modalities === undefined) losses.added(['modalities'], { input: counts }, reason)
  else if (modalities.input === undefined) losses.added(['modalities', 'input'], counts, reason)
  else losses.changed(['modalities', 'input'], counts, reason)
  return { image_tokens: 0, text_tokens: input }
}

/** Counts of text and images, both of them; undefined if neither is known. */
function encodeCounts(counts: JsonObject | undefined, side: 'input' | 'output', losses: Losses): Details | undefined {
  if (counts === undefined) return undefined
  const lower = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name.toLowerCase(), numberOf(count)]))
  const { image, text } = lower
  if (image === undefined && text === undefined) {
    if (side === 'output') losses.dropped([side], 'chat usage of images counts text and images')
    return undefined
  }
  const read = { image: image ?? 0, text: text ?? 0 }
  const isSame = counts['image'] === read.image && counts['text'] === read.text && Object.keys(counts).length === 2
  if (!isSame) losses.changed([side], read, 'chat usage of images counts text and images')
  return { image_tokens: read.image, text_tokens: read.text }
}
