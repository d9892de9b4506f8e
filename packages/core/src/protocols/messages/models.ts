import { DragomanError } from '../../ir/error.ts'
import { modelFacts, releaseDate, type Card } from '../../ir/model.ts'
import type { Quirk } from '../../ir/quirk.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { ListedModel } from '../protocol.ts'

/** All models, or a page as the official SDK requests it: `limit`, and `after_id` or `before_id`. */
export function listModels(entries: readonly ListedModel[], query: URLSearchParams): JsonObject {
  const limit = readLimit(query.get('limit')) ?? entries.length
  const after = positionOf(entries, query.get('after_id'), 'after_id')
  const before = positionOf(entries, query.get('before_id'), 'before_id')
  const end = before ?? entries.length
  const start = after === undefined ? (before === undefined ? 0 : Math.max(0, end - limit)) : after + 1
  const page = entries.slice(start, Math.min(end, start + limit))
  const more = before === undefined ? start + page.length < entries.length : start > 0
  return {
    data: page.map(showModel),
    has_more: more,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  }
}

/** An entry with every member of the official types, because SDKs in Go and Java require them. Claude Code uses the limits. */
export function showModel({ id, card }: ListedModel) {
  const { retires, line, context, maxOutput } = card
  const facts = modelFacts(card)
  return {
    id,
    type: 'model',
    created_at: releaseDate(card),
    ...facts,
    capabilities: { ...facts.capabilities, ...capabilitiesOf(card) },
    max_input_tokens: context ?? null,
    max_tokens: maxOutput ?? null,
    line: line ?? null,
    lifecycle: retires === undefined ? 'active' : 'deprecated',
    // The day on which it was deprecated is not known.
    deprecated_at: null,
    retires_at: retires === undefined ? null : `${retires}T00:00:00Z`,
  } as const
}

/** What a request may ask of a model here. A feature that the card does not mention is not claimed. */
function capabilitiesOf(card: Card) {
  const { input, reasoning, prices = {} } = card
  const reasons = reasoning !== undefined
  const search = Object.hasOwn(prices, 'web_search')
  return {
    batch: NO,
    citations: NO,
    code_execution: NO,
    context_management: {
      supported: false,
      clear_thinking_20251015: NO,
      clear_tool_uses_20250919: NO,
      compact_20260112: NO,
    },
    effort: effortsOf(card),
    image_input: support(input.includes('image')),
    pdf_input: support(input.includes('file')),
    server_tools: { supported: search, web_search: support(search), code_execution: NO },
    structured_outputs: support(true),
    thinking: {
      supported: reasons,
      types: {
        adaptive: support(reasons),
        between_tools: NO,
        disabled: support(true),
        enabled: support(reasons),
      },
    },
  }
}

/** The efforts that its quirks do not always change or drop. */
function effortsOf({ reasoning, quirks = {} }: Card) {
  const all = Object.values(quirks).flat()
  const has = (effort: string) => support(reasoning !== undefined && !all.some((quirk) => isChanged(quirk, effort)))
  return {
    ...has('high'),
    low: has('low'),
    medium: has('medium'),
    high: has('high'),
    xhigh: has('xhigh'),
    max: has('max'),
  }
}

function isChanged(quirk: Quirk, effort: string): boolean {
  if ('when' in quirk || 'unless' in quirk) return false
  if (quirk.verb === 'drop') return [quirk.at].flat().includes('extras.messages.output_config.effort')
  return quirk.verb === 'replace' && quirk.at === 'reasoning.effort' && Object.hasOwn(quirk.values ?? {}, effort)
}

function support(supported: boolean) {
  return { supported }
}

const NO = support(false)

function readLimit(text: string | null): number | undefined {
  if (text === null) return undefined
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit
  throw new DragomanError('invalid-request', 'limit must be a whole number from 1 to 1000.', { param: 'limit' })
}

function positionOf(entries: readonly ListedModel[], id: string | null, param: string): number | undefined {
  if (id === null) return undefined
  const index = entries.findIndex((entry) => entry.id === id)
  if (index >= 0) return index
  throw new DragomanError('invalid-request', `${param} names no model of this list.`, { param })
}
