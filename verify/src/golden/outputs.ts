import {
  DragomanError,
  editTopLevel,
  translate,
  translateAnswer,
  translateError,
  translateResponse,
  translateStream,
  type AnswerStream,
  type ErrorKind,
  type Loss,
  type Protocol,
  type TranslatedAnswer,
  type Translation,
} from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { objectOf, textOf, type JsonObject } from '../fidelity/json.ts'
import { prepareQuirks } from '@dragoman/core/provider'
import { CARD_OF, type GoldenCard } from './cards.ts'
import type { Input } from './input.ts'

/** The outputs for one input, by name: `messages.wire`. Inputs of one kind have the same outputs. */
export type Outputs = ReadonlyMap<string, string>

/** All outputs for an input: of every pair with its protocol first, and of the relay. */
export function outputsOf(input: Input, known: readonly Protocol[] = protocols): Outputs {
  const from = protocolOf(input.from, known)
  const outputs = new Map<string, string>()
  const add = (prefix: string, made: Made) => {
    for (const [name, text] of Object.entries(made)) outputs.set(`${prefix}.${name}`, text)
  }
  for (const to of known) add(to.name, MAKE[input.kind](input.wire, from, to))
  if (input.kind === 'request') add('relay', relayRequest(input.wire, from))
  if (input.kind === 'response') add('relay', { tap: tap(from, JSON.stringify(input.wire), false) })
  if (input.kind === 'stream') add('relay', { tap: tap(from, textOf(input.wire['text']), true) })
  return outputs
}

/** Outputs by their names. */
type Made = { readonly [name: string]: string }

const MAKE: { readonly [Kind in Input['kind']]: (wire: JsonObject, from: Protocol, to: Protocol) => Made } = {
  request(wire, from, to) {
    const send = ({ quirks, ...card }: Partial<GoldenCard>) =>
      attempt(() => {
        const body = from.request.check(wire)
        return translated(
          translate(from, to, body, { ...fixed(), match: MATCH, ...card, quirks: prepareQuirks(quirks) }),
        )
      })
    return { ...send({}), ...renamed('card', send(cardOf(to))) }
  },
  response(wire, from, to) {
    const { dialect } = cardOf(from)
    const hidden = translateAnswer(to, from, FACTS, { ...fixed(), answerModel: 'asked/model' })
    return {
      ...attempt(() => translated(translateResponse(to, from, wire, fixed()))),
      hidden: one(attempt(() => translated(hidden.response(wire)))),
      dialect: one(attempt(() => translated(translateResponse(to, from, wire, { ...fixed(), dialect })))),
    }
  },
  stream(wire, from, to) {
    const { dialect } = cardOf(from)
    const bytes = new TextEncoder().encode(textOf(wire['text']))
    const hidden = translateAnswer(to, from, FACTS, { ...fixed(), answerModel: 'asked/model' })
    const plain = (sizes: readonly number[], end = bytes.length) =>
      streamed(bytes.subarray(0, end), sizes, (write) => translateStream(to, from, write, fixed()))
    const whole = plain([bytes.length])
    return {
      ...whole,
      cuts: CUTS.map((sizes) => one(plain(sizes))).every((text) => text === one(whole)) ? 'same' : 'DIFFERENT',
      broken: one(plain([bytes.length], Math.floor(bytes.length * 0.6))),
      hidden: one(streamed(bytes, [bytes.length], (write) => hidden.answerStream(write))),
      dialect: one(
        streamed(bytes, [bytes.length], (write) => translateStream(to, from, write, { ...fixed(), dialect })),
      ),
    }
  },
  error(wire, from, to) {
    const body = JSON.stringify(objectOf(wire['body']))
    return attempt(() => ({ wire: show(translateError(to, from, Number(wire['status']), body, 'request-1')) }))
  },
  failure({ kind }, _from, to) {
    const facts = { param: 'messages', code: 'some_code', retryAfter: 7, details: { why: 'a test' } }
    const error = new DragomanError(textOf(kind) as ErrorKind, 'Something is wrong.', facts) // a key of STATUS_OF
    return { wire: show(to.error.encode(error, 'request-1')) }
  },
}

const MATCH = { model: 'model-1', stream: false }
/** The options of the request that a response may need. */
const FACTS = { names: [], asked: { stop: ['END'], usage: false }, hideReasoning: true }
/** Sizes of chunks, used in turn. */
const CUTS: readonly (readonly number[])[] = [[7], [1, 200, 3], [64]]

/** Numbered ids, and a fixed clock. */
function fixed(): { id: () => string; now: number } {
  let ids = 0
  return { id: () => `new_${++ids}`, now: 1_700_000_000 }
}

function translated(made: Partial<Translation> & Partial<TranslatedAnswer>): Made {
  const { body, stream, facts, usage, losses = [] } = made
  return { wire: show([body, stream, facts, usage]), ...reported(losses) }
}

/** `losses` is sorted and without reasons, `report` is as it is shown. */
function reported(losses: readonly Loss[]): Made {
  const facts = losses.map((loss) => show([loss.kind, loss.path, 'to' in loss ? loss.to : null, intoOf(loss)]))
  const lines = losses.map(({ kind, path, reason }) => `${kind} ${path.join('.')}: ${reason}`)
  return { losses: facts.sort().join('\n'), report: lines.join('\n') }
}

function intoOf(loss: Loss): Loss['path'] | null {
  return 'into' in loss ? loss.into : null
}

function streamed(
  bytes: Uint8Array,
  sizes: readonly number[],
  open: (write: (text: string) => void) => AnswerStream,
): Made {
  let text = ''
  const stream = open((piece) => (text += piece))
  for (const chunk of chunksOf(bytes, sizes)) stream.push(chunk)
  stream.end()
  return { wire: show([text, stream.usage, shownError(stream.failed)]), ...reported(stream.losses) }
}

function chunksOf(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let start = 0, turn = 0; start < bytes.length; turn++) {
    const end = start + (sizes[turn % sizes.length] ?? 1)
    chunks.push(bytes.subarray(start, end))
    start = end
  }
  return chunks
}

/** A request relayed to an upstream of the same protocol. */
function relayRequest(wire: JsonObject, from: Protocol): Made {
  const text = JSON.stringify(wire, null, 1)
  const bytes = new TextEncoder().encode(text)
  const body = JSON.parse(text) as Parameters<Protocol['relay']['edits']>[0] // an object
  const { check } = attempt(() => ({ check: show(from.request.check(wire)) }), 'check')
  const { edits } = attempt(() => {
    const made = from.relay.edits(body, 'other-model')
    const peek = from.relay.peek(body, { operation: 'generate', ...MATCH })
    const obstacle = from.relay.obstacle(body, { maxTokens: 1000 })
    return { edits: show([peek, obstacle, new TextDecoder().decode(editTopLevel(bytes, made))]) }
  }, 'edits')
  return { check: check ?? '', edits: edits ?? '' }
}

/** A response relayed from an upstream of the same protocol: with its usage chunk, and without it. */
function tap(from: Protocol, text: string, stream: boolean): string {
  const ends = [true, false].map((usage) => {
    const tapped = from.relay.tap({ stream, usage })
    const out = chunksOf(new TextEncoder().encode(text), [64]).flatMap((chunk) => tapped.push(chunk) ?? [])
    const { rest, ...end } = tapped.end()
    const bytes = Buffer.concat(rest === undefined ? out : [...out, rest])
    return [bytes.toString('utf8'), end, shownError(tapped.failed)]
  })
  return show(ends)
}

/** An error is an output too. If it replaces several outputs, each of them has it. */
function attempt(make: () => Made, name = 'wire'): Made {
  try {
    return make()
  } catch (thrown) {
    const error = show(thrown instanceof DragomanError ? shownError(thrown) : `not ours: ${String(thrown)}`)
    return name === 'wire' ? { wire: error, losses: '', report: '' } : { [name]: error }
  }
}

function shownError(error: DragomanError | undefined): unknown {
  if (error === undefined) return null
  const { kind, message, param, code, details, retryAfter, retry } = error
  return { kind, message, param, code, details, retryAfter, retry }
}

/** Several outputs as one. */
function one(made: Made): string {
  return Object.values(made).join('\n')
}

function renamed(prefix: string, made: Made): Made {
  return Object.fromEntries(Object.entries(made).map(([name, text]) => [`${prefix}.${name}`, text]))
}

function show(value: unknown): string {
  return JSON.stringify(value)
}

function protocolOf(name: string, known: readonly Protocol[]): Protocol {
  const found = known.find((protocol) => protocol.name === name)
  if (found === undefined) throw new Error(`There is no protocol ${name}.`)
  return found
}

function cardOf({ name }: Protocol): GoldenCard {
  return CARD_OF[name as keyof typeof CARD_OF] // the protocols of core
}
