import type { ProtocolName } from '../fidelity/fact.ts'
import { listOf, objectOf, textOf, type JsonObject } from '../fidelity/json.ts'
import { eventsOf } from '../fidelity/wire/fold.ts'

/** The kinds of events that one stream has and another does not, or not with the same content. */
export function newEvents(protocol: ProtocolName, stream: string, base: string): string[] {
  const before = eventsOf(base).map(textOfEvent)
  const kinds = eventsOf(stream).flatMap((event) => {
    const index = before.indexOf(textOfEvent(event))
    if (index === -1) return KINDS[protocol](event)
    before.splice(index, 1)
    return []
  })
  return [...new Set(kinds)]
}

/** Without its number, and without the items that the last event repeats. */
function textOfEvent({ sequence_number, response, ...event }: JsonObject): string {
  const { output, ...head } = objectOf(response)
  return JSON.stringify({ ...event, ...head })
}

const KINDS: { readonly [Name in ProtocolName]: (event: JsonObject) => string[] } = {
  chat({ choices, usage, error }) {
    const { delta, finish_reason, logprobs } = objectOf(listOf(choices)[0])
    return [
      ...Object.entries(objectOf(delta))
        .filter(([, value]) => value != null && value !== '')
        .map(([member]) => `delta.${member}`),
      ...present({ finish_reason, logprobs, usage, error }),
    ]
  },
  messages({ type, delta, content_block, usage }) {
    const inner = objectOf(delta ?? content_block)['type']
    const counted = Number(objectOf(usage)['output_tokens'] ?? 0) > 0 ? [`${textOf(type)}.usage`] : []
    return [typeof inner === 'string' ? `${textOf(type)}[${inner}]` : textOf(type), ...counted]
  },
  genai({ candidates, usageMetadata, promptFeedback, error }) {
    const { content, index, ...rest } = objectOf(listOf(candidates)[0])
    const parts = listOf(objectOf(content)['parts']).flatMap((part) =>
      Object.entries(objectOf(part))
        .filter(([, value]) => value !== '')
        .map(([member]) => `parts[].${member}`),
    )
    return [...parts, ...present({ ...rest, usageMetadata, promptFeedback, error })]
  },
  responses: ({ type, item }) => {
    const kind = objectOf(item)['type']
    const name = textOf(type).replace(/^response\./, '')
    return [typeof kind === 'string' ? `${name}[${kind}]` : name]
  },
}

function present(members: JsonObject): string[] {
  return Object.entries(members)
    .filter(([, value]) => value != null)
    .map(([member]) => member)
}
