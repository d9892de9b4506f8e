import { EDIT, EDITED, FILES, MARKER, PROMPTS_OF, THOUGHT, WEATHER } from './scenarios.ts'

/** Seals, ids of calls and arguments stay whole, because upstreams check them. */
const CHECKED = /^(signature|thoughtSignature|encrypted_content|data|id|call_id|tool_call_id|tool_use_id|arguments)$/
/** Members with prompts. */
const PROMPTS: readonly string[] = ['text', 'content', 'system', 'output', 'instructions']
/** Texts of the suite itself. Everything else belongs to the makers of the clients. */
export const OWN: readonly string[] = [
  ...PROMPTS_OF.session,
  WEATHER,
  EDIT,
  EDITED.trim(),
  MARKER,
  THOUGHT,
  'Sunny in Paris',
  'Sunny in Rome',
  ...filesOf(),
]
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const ZEROS = '00000000-0000-4000-8000-000000000000'
/** Ids that Codex gives its own items. No upstream checks them. */
const ITEM_ID = /^(msg|fco|at)_[0-9a-f]{8}-/
const DIGEST = /\b[0-9a-f]{32,}\b/g

/** A body without prompts of others, and without ids of machines and sessions. */
export function sanitize(value: unknown, member = ''): unknown {
  if (typeof value === 'string') return sanitizeText(value, member)
  if (Array.isArray(value)) return value.map((item) => sanitize(item, member))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sanitize(inner, nameOf(key, inner))]))
}

/** A list in `content` is treated like a string; a property that is called `description` is a schema. */
function nameOf(key: string, inner: unknown): string {
  return typeof inner === 'object' && !Array.isArray(inner) ? '' : key
}

function sanitizeText(text: string, member: string): string {
  if (member === 'id' && ITEM_ID.test(text)) return text.replaceAll(UUID, ZEROS)
  if (CHECKED.test(member)) return text
  if (member === 'description') return text === '' ? '' : 'A description.'
  // Streamed texts can come back in pieces.
  if (PROMPTS.includes(member) && !OWN.some((own) => own.includes(text)))
    return OWN.find((own) => text.includes(own)) ?? 'A prompt.'
  return text.replaceAll(UUID, ZEROS).replaceAll(DIGEST, (found) => '0'.repeat(found.length))
}

function filesOf(): string[] {
  return Object.values(FILES).map((text) => text.trim())
}
