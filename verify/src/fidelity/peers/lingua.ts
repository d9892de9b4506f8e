import { TransformStreamSession, transform_request, transform_response } from '@braintrust/lingua-wasm'
import type { Converter, Task } from '../converter.ts'
import type { ProtocolName } from '../fact.ts'
import { listOf, objectOf, textOf, type JsonObject } from '../json.ts'
import { eventsOf } from '../wire/fold.ts'

const FORMAT_OF: { readonly [Name in ProtocolName]: string } = {
  chat: 'openai',
  messages: 'anthropic',
  genai: 'google',
  responses: 'responses',
}

/** Uses its functions for payloads, which detect the input format. It reports nothing and has no errors. */
export const lingua: Converter = {
  name: '@braintrust/lingua-wasm',
  scope: 'no errors',
  takes: ({ kind }) => kind !== 'error',
  convert: (task) => ({ wire: convert(task), report: [] }),
}

function convert({ kind, to, wire }: Task): JsonObject {
  const target = FORMAT_OF[to]
  if (kind === 'stream') return { text: convertStream(textOf(wire['text']), target) }
  const given = JSON.stringify(wire)
  // The model of a genai request is in its path.
  const result: unknown =
    kind === 'request' ? transform_request(given, target, 'model-1') : transform_response(given, target)
  return objectOf(objectOf(result)['data'])
}

function convertStream(text: string, target: string): string {
  const session = new TransformStreamSession(target)
  const frames = eventsOf(text).map((event): unknown => session.pushSse(JSON.stringify(event)))
  return [...frames, session.finishSse() as unknown].flatMap(listOf).map(textOf).join('')
}
