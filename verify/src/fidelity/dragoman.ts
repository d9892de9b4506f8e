import {
  translate,
  translateError,
  translateResponse,
  translateStream,
  type Protocol,
  type ReportedLoss,
} from '@dragoman/core'
import { chat, genai, messages, responses } from '@dragoman/core/protocols'
import type { Converted, Converter, Task } from './converter.ts'
import type { Kind, ProtocolName } from './fact.ts'
import { objectOf, textOf } from './json.ts'

const PROTOCOL_OF: { readonly [Name in ProtocolName]: Protocol } = { chat, messages, genai, responses }

/** dragoman's converters, through their public functions. */
export const dragoman: Converter = {
  name: 'dragoman',
  scope: 'everything',
  takes: () => true,
  convert: (task) => CONVERT[task.kind](task, PROTOCOL_OF[task.from], PROTOCOL_OF[task.to]),
}

/** Ids and times that are the same in every run. */
const SAME = { id: () => 'id', now: 1_700_000_001 }

/** With the path of the IR: the words of a fact are looked for in it, whichever protocol the caller uses. */
function describe({ kind, path, reason }: ReportedLoss): string {
  return `${kind} ${path.join('.')}: ${reason}`
}

const CONVERT: { readonly [Name in Kind]: (task: Task, from: Protocol, to: Protocol) => Converted } = {
  request({ wire, issuer }, from, to) {
    const { body, losses } = translate(from, to, wire, { ...SAME, issuer, match: { model: 'model-1', stream: false } })
    return { wire: body, report: losses.map(describe) }
  },
  response({ wire }, from, to) {
    const { body, losses } = translateResponse(to, from, wire, SAME)
    return { wire: body, report: losses.map(describe) }
  },
  stream({ wire }, from, to) {
    let text = ''
    const stream = translateStream(to, from, (piece) => (text += piece), SAME)
    stream.push(new TextEncoder().encode(textOf(wire['text'])))
    stream.end()
    return { wire: { text }, report: stream.losses.map(describe) }
  },
  error({ wire }, from, to) {
    const { status, body } = translateError(to, from, Number(wire['status']), JSON.stringify(objectOf(wire['body'])))
    return { wire: { status, body }, report: [] }
  },
}
