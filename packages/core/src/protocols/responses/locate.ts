import type { Path } from '../../ir/loss.ts'
import { listOf } from '../../lib/json.ts'
import { contentSites, siteTable, type Site, type SiteRules } from '../locate.ts'
import { decodeItem, isMessage } from './assistant.ts'
import { openReasoning } from './reasoning.ts'
import { decodeTypedResult } from './typed-calls.ts'
import { ISSUER, type Item, type ResponsesRequest, type WireTool } from './schema.ts'
import { PATHS } from './members.ts'
import { SETTINGS } from './settings.ts'

/** Where the values of a decoded request stand in the body. */
export const sites: SiteRules = {
  request: siteTable({ ...PATHS.request, ...SETTINGS.sites('settings') }),
  part: siteTable(PATHS.part),
  tool: siteTable(PATHS.tool),
  messages: (body) => messageSites(body as ResponsesRequest), // it was decoded as one
  tools: (body) => toolSites(body as ResponsesRequest), // it was decoded as one
}

/** The turns of a conversation, as `decodeInput` makes them. */
function messageSites({ input, instructions }: ResponsesRequest): Site[] {
  const messages: Site[] = []
  let ofAssistant: Site[] = []
  let results: Site[] = []
  const flush = () => {
    if (ofAssistant.length > 0) messages.push(turnSite(ofAssistant))
    if (results.length > 0) messages.push(turnSite(results))
    ofAssistant = []
    results = []
  }
  if (instructions != null) messages.push({ at: ['instructions'], parts: [{ at: ['instructions'] }] })
  if (typeof input === 'string') return [...messages, { at: ['input'], parts: [{ at: ['input'] }] }]
  for (const [index, item] of input.entries()) {
    const at: Path = ['input', index]
    if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
      if (ofAssistant.length > 0) flush()
      results.push({ at, parts: contentSites(item.output, [...at, 'output']) })
    } else if (decodeTypedResult(item) !== undefined) {
      if (ofAssistant.length > 0) flush()
      results.push({ at, members: { output: [...at, 'output'] } })
    } else if (item.type === 'additional_tools') flush()
    else if (isMessage(item) && item.role !== 'assistant') {
      const answers = item.role === 'user' ? results : []
      if (item.role === 'user') results = []
      flush()
      messages.push({ at, parts: [...answers, ...contentSites(item.content, [...at, 'content'])] })
    } else {
      if (results.length > 0) flush()
      const target = item.type === 'reasoning' ? openReasoning(item, CONTEXT).target : 'self'
      const last = target === 'previous' ? ofAssistant.pop() : undefined
      if (last !== undefined)
        ofAssistant.push({ ...last, members: { ...last.members, seal: [...at, 'encrypted_content'] } })
      else if (target === 'self') for (const site of itemSites(item, at)) ofAssistant.push(site)
    }
  }
  flush()
  return messages
}

/** A turn of several items is the whole list. */
function turnSite(parts: readonly Site[]): Site {
  const [first] = parts
  const isOne = parts.every(({ at }) => at[1] === first?.at[1])
  return { at: isOne && first !== undefined ? first.at.slice(0, 2) : ['input'], parts }
}

/** The parts of an item of the assistant. */
function itemSites(item: Item, at: Path): Site[] {
  const parts = decodeItem(item, 0, CONTEXT)
  const isOpaque = parts[0]?.type === 'opaque' && parts[0].item === undefined
  if (isOpaque || !(isMessage(item) || item.type === 'reasoning')) return parts.map(() => ({ at }))
  const extras = { item: at }
  const id = idSite(item, at)
  if (isMessage(item))
    return contentSites(item.content, [...at, 'content']).map((part) => ({ ...part, members: { item: id }, extras }))
  const members = { seal: [...at, 'encrypted_content'], item: id }
  const texts = (['summary', 'content'] as const).flatMap((list) =>
    listOf(item[list]).map((_text, index): Site => {
      return { at: [...at, list, index], members: { ...members, summary: [...at, list] }, extras }
    }),
  )
  return texts.length === 0 ? [{ at, extras }] : texts
}

/** Only the number and the kinds of parts are asked for. */
const CONTEXT = { issuer: ISSUER }

/** An item without an id stands for itself. */
function idSite(item: Item, at: Path): Path {
  return 'id' in item && typeof item.id === 'string' ? [...at, 'id'] : at
}

function toolSites({ tools, input }: ResponsesRequest): Site[] {
  const added = typeof input === 'string' ? [] : input
  return [
    ...listedTools(tools, ['tools'], {}),
    ...added.flatMap((item, index) => {
      const at: Path = ['input', index]
      if (item.type === 'additional_tools') return listedTools(item.tools, [...at, 'tools'], { item: at })
      const { tools: found } = item as { readonly tools?: readonly WireTool[] } // parsed JSON
      return decodeTypedResult(item) === undefined
        ? []
        : listedTools(found, [...at, 'tools'], { item: at, found_by: at })
    }),
  ]
}

/** Tools of a list, and of the namespaces in it. */
function listedTools(
  tools: readonly WireTool[] | null | undefined,
  at: Path,
  extras: { readonly [member: string]: Path },
): Site[] {
  return listOf(tools).flatMap((tool, index): Site[] => {
    const group = [...at, index]
    const inside = tool.type === 'namespace' ? tool.tools : []
    const members = extras['item'] === undefined ? {} : { since: extras['item'] }
    if (inside.length === 0) return [{ at: group, members, extras }]
    return inside.map((_tool, inner) => ({
      at: [...group, 'tools', inner],
      members,
      extras: { ...extras, namespace: group },
    }))
  })
}
