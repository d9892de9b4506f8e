import {
  describeLoss,
  DragomanError,
  translate,
  translateResponse,
  translateStream,
  type Feature,
  type LossSubject,
  type Protocol,
  type ReportedLoss,
} from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { ABOUT_FEATURE, FEATURES, findFeatures } from '@dragoman/core/provider'
import { textOf } from '../fidelity/json.ts'
import { readInputs, type Input } from '../golden/input.ts'
import { markdownTable } from '../markdown-table.ts'

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
  'service-tier': 'how fast and at which price a request is served',
  'prompt-cache-option': 'how the upstream caches prompts',
  moderation: 'what the upstream checks of a prompt and its answer',
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

Written by \`npm run verify -- losses\`; \`npm test\` fails when it is out of date. The code of a loss is its kind and what it is about. Codes are
stable; the wording of reasons is not. The kinds are explained in the [README of core](../packages/core/README.md#losses). The
examples are losses of requests and answers that the tests use, as \`describeLoss\` writes them. The last column has the
[features](#features) that losses with this code count against.

`

const FEATURES_HEAD = `
## Features

What a request can use and a route can lose. With the option \`features: findFeatures\`, a loss of a request names the features of which
something does not arrive because of it:

- What is dropped does not arrive, with everything in it: a message with its images, a part with its cache mark. What has no effect is not
  missed: a tool choice that is \`auto\`, plain text as the format, an empty text, reasoning that is off.
- What is changed counts if the new value does not have the feature: reasoning that is turned off, an instruction that becomes a turn of
  the user, a forced choice of tools that is left to the model, an image in a document that becomes text. Another number, name or spelling
  does not count, and neither does a document or a search result that the model reads as text. A schema counts if keywords or choices are
  left out of it.
- What is moved, merged or added arrives.
- Members that only describe (the name or the strictness of an output schema, the resolution of an image, the title of a document, the
  options of a web search) belong to no feature.

`

/** The whole of docs/losses.md: every code that is reported for an input of the golden run. */
export function writeLosses(): string {
  const examples = new Map<string, ReportedLoss>()
  const featuresOf = new Map<string, Set<Feature>>()
  for (const input of readInputs()) {
    for (const loss of lossesOf(input)) {
      if (!examples.has(loss.code)) examples.set(loss.code, loss)
      const features = featuresOf.get(loss.code) ?? new Set()
      featuresOf.set(loss.code, new Set([...features, ...(loss.features ?? [])]))
    }
  }
  const rows = [...examples]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, loss]) => rowOf(code, loss, featuresOf.get(code)))
  const codes = markdownTable(['code', 'about', 'example', 'features'], rows)
  const features = FEATURES.map((feature) => [`\`${feature}\``, ABOUT_FEATURE[feature]])
  return `${HEAD}${codes}\n${FEATURES_HEAD}${markdownTable(['feature', 'what it is'], features)}\n`
}

function rowOf(code: string, loss: ReportedLoss, features: ReadonlySet<Feature> = new Set()): string[] {
  const about = ABOUT[code.slice(loss.kind.length + 1) as LossSubject] // a code is a kind and a subject
  const names = FEATURES.filter((feature) => features.has(feature)).map((feature) => `\`${feature}\``)
  return [`\`${code}\``, about, `\`${describeLoss(loss).replaceAll('|', '\\|')}\``, names.join(', ')]
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
  return translate(caller, upstream, caller.request.check(wire), { ...FIXED, match, features: findFeatures }).losses
}

function streamLosses(upstream: Protocol, caller: Protocol, text: string): readonly ReportedLoss[] {
  const stream = translateStream(caller, upstream, () => undefined, FIXED)
  stream.push(new TextEncoder().encode(text))
  stream.end()
  return stream.losses
}
