import { isObject, type Json, type JsonObject } from '../../lib/json.ts'

/** The members whose lists Google also takes as one object. */
const LISTS: readonly string[] = ['contents', 'tools', 'safetySettings']

/**
 * A request with lists of one where it has an object instead, as Google reads it: LangChain4j wrote tools so, Google's examples for
 * Vertex write contents, parts and safety settings so (2026). The parts of contents are left to `listIn`.
 */
export function listSingles(body: JsonObject): JsonObject {
  let listed = body
  for (const name of LISTS) listed = listIn(listed, name)
  const { tools, systemInstruction = null } = listed
  const instruction = listIn(systemInstruction, 'parts')
  if (instruction !== systemInstruction) listed = { ...listed, systemInstruction: instruction }
  const isSingle = (tool: Json): boolean => listIn(tool, DECLARED) !== tool
  return Array.isArray(tools) && tools.some(isSingle)
    ? { ...listed, tools: tools.map((tool: Json) => listIn(tool, DECLARED)) }
    : listed
}

const DECLARED = 'functionDeclarations'

/** A value with a list of one in this member if it has an object there; otherwise the same value. */
export function listIn<T extends Json>(value: T, name: string): T {
  const single = isObject(value) ? value[name] : undefined
  return isObject(single) ? ({ ...(value as JsonObject), [name]: [single] } as JsonObject & T) : value // an object, with one more list
}
