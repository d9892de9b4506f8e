import type { Path } from '../../ir/loss.ts'
import { defined } from '../../lib/members.ts'
import { listOf, stringOf } from '../../lib/json.ts'
import { contentSites, listSites, siteTable, type Site, type SiteRules } from '../locate.ts'
import { roleOf } from './assistant.ts'
import { decodeAudio } from './audio.ts'
import { findEcho } from './echoes.ts'
import { decodeImages } from './media.ts'
import { decodeDetail, placeAmong, type Placed } from './reasoning.ts'
import type { WireAnswerMessage } from './answer-schema.ts'
import { ISSUER, type ChatRequest, type WireMessage } from './schema.ts'
import { PATHS } from './members.ts'
import { SETTINGS } from './settings.ts'

/** Where the values of a decoded request stand in the body. */
export const sites: SiteRules = {
  request: siteTable({ ...PATHS.request, ...SETTINGS.sites('settings') }),
  part: siteTable(PATHS.part),
  tool: siteTable(PATHS.tool),
  messages: (body) => messageSites((body as ChatRequest).messages), // it was decoded as one
  tools({ tools, web_search_options: search }) {
    const declared = listSites(tools, ['tools'])
    return search === undefined ? declared : [...declared, { at: ['web_search_options'] }]
  },
}

/** Tool messages join the user message that follows them. */
function messageSites(messages: readonly WireMessage[]): Site[] {
  const sites: Site[] = []
  let results: Site[] = []
  const flush = () => {
    const [first] = results
    if (first !== undefined) sites.push({ at: first.at, parts: results })
    results = []
  }
  for (const [index, wire] of messages.entries()) {
    const at = ['messages', index]
    if (wire.role === 'tool' || wire.role === 'function') {
      const members = { name: [...at, 'name'] }
      results.push({ at, parts: contentSites(wire.content, [...at, 'content']), members })
      continue
    }
    if (wire.role !== 'user') flush()
    const content =
      roleOf(wire) === 'assistant'
        ? assistantSites(wire as WireAnswerMessage, at)
        : contentSites(wire.content, [...at, 'content']) // images and audio are read leniently
    sites.push({ at, parts: [...results, ...content] })
    results = []
  }
  flush()
  return sites
}

function assistantSites(wire: WireAnswerMessage, at: Path): Site[] {
  const { content, refusal, tool_calls, function_call, annotations } = wire
  const others = contentSites(content, [...at, 'content'])
  const text = Array.isArray(content) ? content.findIndex((part) => part.type === 'text') : 0
  const textSite = others[text]
  if (textSite !== undefined && annotations != null)
    others[text] = { ...textSite, members: { citations: [...at, 'annotations'] } }
  for (const index of decodeImages(listOf(wire.images))?.keys() ?? []) others.push({ at: [...at, 'images', index] })
  if (stringOf(refusal) !== '') others.push({ at: [...at, 'refusal'] })
  for (const index of tool_calls?.keys() ?? []) others.push({ at: [...at, 'tool_calls', index] })
  if (function_call != null) others.push({ at: [...at, 'function_call'] })
  if (decodeAudio(wire.audio) !== undefined) others.push({ at: [...at, 'audio'] })
  const echo = findEcho(wire)
  const placed = reasoningSites(echo?.wire ?? wire, at, echo?.path ?? ['reasoning_details'])
  return placeAmong(placed, others, (site, seal) => ({ ...site, members: { ...site.members, seal } }))
}

/** `reasoning_details` where it is given; the other two are views of it. */
function reasoningSites(
  { reasoning, reasoning_content, reasoning_details }: WireAnswerMessage,
  at: Path,
  member: Path,
): Placed<Site, Path>[] {
  if (reasoning_details == null || reasoning_details.length === 0) {
    const view = stringOf(reasoning_content) === '' ? 'reasoning' : 'reasoning_content'
    return stringOf(reasoning_content) === '' && stringOf(reasoning) === '' ? [] : [{ part: { at: [...at, view] } }]
  }
  return reasoning_details.map((detail, position) => {
    const path = [...at, ...member, position]
    const { part, index } = decodeDetail(detail, { issuer: ISSUER })
    return defined({ index, ...(part === undefined ? { seal: path } : { part: { at: path } }) })
  })
}
