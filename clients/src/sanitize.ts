/** Texts that may be prompts are cut. Seals, ids and arguments stay whole, because upstreams check them. */
const CUT_AT: { readonly [member: string]: number } = {
  text: 120,
  content: 120,
  system: 120,
  output: 120,
  description: 16,
}
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const DIGEST = /\b[0-9a-f]{32,}\b/g

/** A body with short texts, and without ids of machines and sessions. */
export function sanitize(value: unknown, member = ''): unknown {
  if (typeof value === 'string') return cut(anonymous(value), CUT_AT[member])
  if (Array.isArray(value)) return value.map((item) => sanitize(item, member))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sanitize(inner, nameOf(key, inner))]))
}

/** A list of strings in `content` is cut like its strings; a property that is called `description` is a schema. */
function nameOf(key: string, inner: unknown): string {
  return typeof inner === 'object' && !Array.isArray(inner) ? '' : key
}

function anonymous(text: string): string {
  return text
    .replaceAll(UUID, '00000000-0000-4000-8000-000000000000')
    .replaceAll(DIGEST, (found) => '0'.repeat(found.length))
}

function cut(text: string, length: number | undefined): string {
  return length === undefined || text.length <= length ? text : `${text.slice(0, length).trimEnd()}…`
}
