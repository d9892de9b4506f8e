import { camelKeys, namesOf } from '../../lib/grammar/camel.ts'
import { object } from '../../lib/grammar/schema.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { plainText } from './content.ts'
import { genaiRequest, type WirePart } from './schema.ts'

/** A request with its snake_case members renamed to camelCase, and with lists in place of single objects, as the real REST API reads them. */
export function spellRequest(body: JsonObject): JsonObject {
  const spelled = listSingles(camelKeys(body, WITHOUT_CONTENTS))
  const contents = Array.isArray(spelled['contents']) ? (spelled['contents'] as readonly Json[]) : []
  const found = contents.findIndex((content) => spellContent(content) !== content)
  return found < 0 ? spelled : { ...spelled, contents: contents.map(spellContent) }
}

/** Most parts are only a text, and need no renaming. */
function spellContent(given: Json): Json {
  const content = listIn(given, 'parts')
  if (!isObject(content) || !Array.isArray(content['parts'])) return content
  const parts = content['parts'] as readonly Json[]
  const plain = parts.every((part) => !isObject(part) || plainText(part as WirePart) !== undefined) // read as one
  return plain ? content : camelKeys(content, CONTENT)
}

/** Contents are renamed one by one. */
const { contents: content, ...others } = genaiRequest._zod.def.shape
const CONTENT = namesOf(content)
const WITHOUT_CONTENTS = namesOf(object(others))

/** The members whose lists Google also takes as one object. */
const LISTS: readonly string[] = ['contents', 'tools', 'safetySettings']

/**
 * A request with lists of one where it has an object instead, as Google reads it: LangChain4j wrote tools so, Google's examples for
 * Vertex write contents, parts and safety settings so (2026). The parts of contents are left to `listIn`.
 */
function listSingles(body: JsonObject): JsonObject {
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
function listIn<T extends Json>(value: T, name: string): T {
  const single = isObject(value) ? value[name] : undefined
  return isObject(single) ? ({ ...(value as JsonObject), [name]: [single] } as JsonObject & T) : value // an object, with one more list
}
