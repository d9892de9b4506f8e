import { isObject, listOf, objectOf, type JsonObject, type JsonValue } from '../fidelity/json.ts'

/** The paths at which a body has values that another one does not. The order of members is ignored. */
export function newPaths(body: JsonObject, base: JsonObject): string[] {
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

/** Compares elements at the same position. For a new element, only its kind is shown. */
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
    return differences(item, {}, `${path}[${kindOf(item)}]`).filter((each) => !each.endsWith('.role'))
  })
}

function kindOf(item: JsonValue): string {
  const { type, role } = objectOf(item)
  return typeof type === 'string' ? type : typeof role === 'string' ? role : ''
}

/** Objects that are shown member by member. For all others, two or more members are shown as the object. */
const HOLDERS =
  /^(|generationConfig|usage|usageMetadata|text|reasoning|(messages|contents|input|output)\[\w*\]|.*(parts|content|summary|output)\[\w*\]|choices\[\](\.message)?|candidates\[\](\.content)?)$/

function collapse(paths: readonly string[], path = ''): string[] {
  const inside = (each: string) => (path === '' ? each : each.slice(path.length + 1))
  const children = Map.groupBy(paths, (each) => inside(each).split('.')[0] ?? '')
  if (children.size > 1 && !HOLDERS.test(path)) return [path]
  return [...children].flatMap(([child, within]) => {
    const deeper = path === '' ? child : `${path}.${child}`
    return within.includes(deeper) ? [deeper] : collapse(within, deeper)
  })
}

function same(left: JsonValue, right: JsonValue): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
