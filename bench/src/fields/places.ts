import { isObject, listOf, objectOf, type JsonObject, type JsonValue } from '../fidelity/json.ts'

/** Where a body says something that another one does not, as readable paths. The order of members says nothing. */
export function newPlaces(body: JsonObject, base: JsonObject): string[] {
  return collapse([...new Set(differences(body, base, ''))]).sort()
}

function differences(value: JsonValue, base: JsonValue, path: string): string[] {
  if (same(value, base)) return []
  if (Array.isArray(value)) return listDifferences(listOf(value), listOf(base), path)
  if (!isObject(value) || Object.keys(value).length === 0) return [path]
  const before = objectOf(base)
  return Object.entries(value).flatMap(([key, inner]) =>
    differences(inner, before[key], path === '' ? key : `${path}.${key}`),
  )
}

/** Elements in the same place are compared; of what is new, the kind is the news. */
function listDifferences(list: readonly JsonValue[], base: readonly JsonValue[], path: string): string[] {
  const scalar = list.some((item) => !isObject(item))
  if (scalar) return [path]
  const aligned = list.length === base.length
  return list.flatMap((item, index) => {
    const twin = aligned ? base[index] : base.find((other) => same(item, other))
    if (twin !== undefined) return differences(item, twin, `${path}[${kindOf(item)}]`)
    const { type, role } = objectOf(item)
    if (typeof type === 'string' || (typeof role === 'string' && /^(tool|system)$/.test(role)))
      return [`${path}[${kindOf(item)}]`]
    return differences(item, {}, `${path}[${kindOf(item)}]`).filter((place) => !place.endsWith('.role'))
  })
}

function kindOf(item: JsonValue): string {
  const { type, role } = objectOf(item)
  return typeof type === 'string' ? type : typeof role === 'string' ? role : ''
}

/** What is left out of paths: two members and more of one object are the object, unless it holds unlike things. */
const HOLDERS =
  /^(|generationConfig|usage|usageMetadata|(messages|contents)\[\w*\]|.*(parts|content)\[\w*\]|choices\[\](\.message)?|candidates\[\](\.content)?)$/

function collapse(places: readonly string[], path = ''): string[] {
  const inside = (place: string) => (path === '' ? place : place.slice(path.length + 1))
  const children = Map.groupBy(places, (place) => inside(place).split('.')[0] ?? '')
  if (children.size > 1 && !HOLDERS.test(path)) return [path]
  return [...children].flatMap(([child, within]) => {
    const deeper = path === '' ? child : `${path}.${child}`
    return within.includes(deeper) ? [deeper] : collapse(within, deeper)
  })
}

function same(left: JsonValue, right: JsonValue): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
