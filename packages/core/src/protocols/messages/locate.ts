import type { Path } from '../../ir/loss.ts'
import { unwrap } from '../../ir/seal.ts'
import { isObject } from '../../lib/json.ts'
import { listSites, siteTable, type Site, type SiteRules } from '../locate.ts'
import { sealOfNextCall } from './reasoning.ts'
import { ISSUER, type Block, type MessagesRequest } from './schema.ts'
import { PATHS } from './members.ts'
import { SETTINGS } from './settings.ts'

/** Where the values of a decoded request stand in the body. */
export const sites: SiteRules = {
  request: siteTable({ ...PATHS.request, ...SETTINGS.sites('settings') }),
  part: siteTable(PATHS.part),
  tool: siteTable(PATHS.tool),
  messages(body) {
    const { system, messages } = body as MessagesRequest // it was decoded as one
    const turns = messages.map(({ content }, index) => {
      const at = ['messages', index]
      return { at, parts: contentSites(content, [...at, 'content']) }
    })
    if (system === undefined || system.length === 0) return turns
    return [{ at: ['system'], parts: contentSites(system, ['system']) }, ...turns]
  },
  tools: ({ tools }) => listSites(tools, ['tools']),
}

/** Blocks that only carry the seal of a neighbour are not parts. */
function contentSites(content: unknown, at: Path): Site[] {
  if (!Array.isArray(content)) return content == null || content === '' ? [] : [{ at }]
  const parts: Site[] = []
  const behind: Site[] = []
  let forNext: Path | undefined
  let forCall: Path | undefined
  for (const [index, block] of (content as readonly Block[]).entries()) {
    const path = [...at, index]
    const target = block.type === 'redacted_thinking' ? unwrap(block.data, ISSUER).target : undefined
    if (target === 'next') forNext = [...path, 'data']
    else if (target === 'behind') behind.push({ at: path })
    else if (target === 'previous') {
      const last = parts.pop()
      if (last !== undefined) parts.push({ ...last, members: { seal: [...path, 'data'] } })
    } else {
      const calls = block.type === 'tool_use' || block.type === 'server_tool_use'
      const seal = forNext ?? (calls ? forCall : undefined)
      const members = { ...(seal && { seal }), ...(block.type === 'tool_result' && { name: path }) }
      parts.push({ at: path, parts: innerSites(block, path), members })
      forNext = undefined
      if (calls) forCall = undefined
      else if (sealOfNextCall(block, ISSUER) !== undefined) forCall = [...path, 'signature']
      for (const each of behind.splice(0)) parts.push(each)
    }
  }
  return [...parts, ...behind]
}

function innerSites(block: Block, at: Path): Site[] {
  switch (block.type) {
    case 'tool_result':
    case 'search_result':
      return contentSites(block.content, [...at, 'content'])
    case 'web_search_tool_result':
      return listSites(block.content, [...at, 'content'])
    case 'document':
      return isObject(block.source) && block.source['type'] === 'content'
        ? contentSites(block.source['content'], [...at, 'source', 'content'])
        : []
    default:
      return []
  }
}
