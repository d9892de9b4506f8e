import {
  describeLoss,
  DragomanError,
  translate,
  translateResponse,
  translateStream,
  type LossSubject,
  type Protocol,
  type ReportedLoss,
} from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { textOf } from '../fidelity/json.ts'
import { readInputs, type Input } from '../golden/input.ts'

/** What a loss is about. The compiler finds a subject without a sentence. */
const ABOUT: { readonly [Subject in LossSubject]: string } = {
  model: 'the name of the model',
  message: 'a message of the conversation',
  'message-member': 'a member of a message',
  role: 'the role of a message',
  part: 'a part of a message: text, media, reasoning, a tool call or result',
  'part-member': 'a member of a part',
  tool: 'a tool',
  'tool-member': 'a member of a tool',
  'tool-choice': 'which tools the model may or must call',
  setting: 'a setting for sampling, such as a temperature',
  'reasoning-setting': 'how much to reason, and whether to show it',
  'output-format': 'the form of the answer',
  'safety-setting': 'a safety setting',
  'cached-content': 'the name of cached content',
  user: 'who the end user is',
  metadata: 'metadata of the request',
  'delivery-option': 'how the answer is delivered',
  'routing-option': 'which provider to use',
  'vendor-member': 'a member that only one protocol or vendor has',
  candidate: 'one of the answers',
  'candidate-member': 'a member of an answer',
  usage: 'a count of tokens',
  'block-reason': 'why the prompt was blocked',
  id: 'an id: of an answer, or of a tool call',
  time: 'the time of an answer',
  seal: 'a signature or encrypted reasoning of another issuer',
  'cache-mark': 'a cache mark',
  citation: 'a citation',
  'media-source': 'the data or the address of media',
  name: 'the name of a participant or a tool',
  arguments: 'the arguments of a tool call',
  'tool-output': 'the output of a tool',
  schema: 'a JSON Schema',
  'finish-reason': 'why the answer ended',
  logprobs: 'log probabilities',
  grounding: 'grounding metadata of an answer',
  'safety-rating': 'safety ratings of an answer',
  member: 'any other member',
}

const HEAD = `# Loss codes

Written by \`npm run bench -- losses\`; \`npm test\` fails when it is out of date. The code of a loss is its kind and what it is about. Codes are
stable; the wording of reasons is not. The kinds are explained in the [README of core](../packages/core/README.md#losses). The
examples are losses of requests and answers that the tests use, as \`describeLoss\` writes them.

`

/** The whole of docs/losses.md: every code that is reported for an input of the golden run. */
export function writeLosses(): string {
  const examples = new Map<string, ReportedLoss>()
  for (const input of readInputs())
    for (const loss of lossesOf(input)) if (!examples.has(loss.code)) examples.set(loss.code, loss)
  const rows = [...examples].sort(([one], [other]) => (one < other ? -1 : 1)).map(([code, loss]) => rowOf(code, loss))
  return [`${HEAD}| code | about | example |`, '|---|---|---|', ...rows, ''].join('\n')
}

function rowOf(code: string, loss: ReportedLoss): string {
  const about = ABOUT[code.slice(loss.kind.length + 1) as LossSubject] // a code is a kind and a subject
  return `| \`${code}\` | ${about} | \`${describeLoss(loss).replaceAll('|', '\\|')}\` |`
}

const FIXED = { id: () => 'new', now: 1_700_000_000 }

function lossesOf({ kind, from, wire }: Input): readonly ReportedLoss[] {
  const sender = protocols.find(({ name }) => name === from)
  if (sender === undefined) return []
  return protocols.flatMap((receiver) => {
    try {
      if (kind === 'request') return requestLosses(sender, receiver, wire)
      if (kind === 'response') return translateResponse(receiver, sender, wire, FIXED).losses
      return kind === 'stream' ? streamLosses(sender, receiver, textOf(wire['text'])) : []
    } catch (thrown) {
      if (DragomanError.isInstance(thrown)) return []
      throw thrown
    }
  })
}

function requestLosses(caller: Protocol, upstream: Protocol, wire: object): readonly ReportedLoss[] {
  const match = { model: 'model-1', stream: true }
  return translate(caller, upstream, caller.request.check(wire), { ...FIXED, match }).losses
}

function streamLosses(upstream: Protocol, caller: Protocol, text: string): readonly ReportedLoss[] {
  const stream = translateStream(caller, upstream, () => undefined, FIXED)
  stream.push(new TextEncoder().encode(text))
  stream.end()
  return stream.losses
}
