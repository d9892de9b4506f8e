import type { Json, JsonObject } from '@dragoman/core'

/** A wire with its inline data in the standard alphabet, padded: the spelling that every upstream accepts. */
export function withStandardData(wire: JsonObject): JsonObject {
  return rewritten(wire, '') as JsonObject // an object stays an object
}

function rewritten(node: Json, owner: string): Json {
  if (Array.isArray(node)) return node.map((item: Json) => rewritten(item, owner))
  if (typeof node !== 'object' || node === null) return node
  const object = node as JsonObject // neither null nor a list
  const inline = object['type'] === 'base64' || owner === 'inlineData' || owner === 'input_audio'
  const members = Object.entries(object).map(([key, value]): [string, Json] => {
    if (typeof value !== 'string') return [key, rewritten(value, key)]
    if ((inline && key === 'data') || DATA.has(key)) return [key, standard(value)]
    const [head = '', data] = value.split(';base64,')
    return [key, head.startsWith('data:') && data !== undefined ? `${head};base64,${standard(data)}` : value]
  })
  return Object.fromEntries(members)
}

/** Members that are always base64. */
const DATA: ReadonlySet<string> = new Set(['bytesBase64Encoded', 'encodedVideo'])

/** Base64 in the standard alphabet, padded. */
export function standard(data: string): string {
  return Buffer.from(data, 'base64').toString('base64')
}
