import { isObject, parseJson, type Json } from '../lib/json.ts'

/** The model names in an upstream's list, in any of the known shapes: `data[].id`, `models[].name`, or a plain list. */
export function readModelList(body: string): readonly string[] {
  const parsed = parseJson(body)
  const list: Json | undefined = isObject(parsed) ? (parsed['data'] ?? parsed['models']) : parsed
  if (!Array.isArray(list)) return []
  return (list as readonly Json[]).flatMap((entry) => {
    if (typeof entry === 'string') return [entry]
    const name = isObject(entry) ? (entry['id'] ?? entry['name']) : undefined
    return typeof name === 'string' && name !== '' ? [name.replace(/^models\//, '')] : []
  })
}
