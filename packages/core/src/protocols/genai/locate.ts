import { unknownOf } from '../../ir/extras.ts'
import type { Path } from '../../ir/loss.ts'
import type { Part } from '../../ir/part.ts'
import { isEmpty, isObject } from '../../lib/json.ts'
import { listSites, siteTable, type Site, type SiteRules } from '../locate.ts'
import { spellRequest } from './spelling.ts'
import { continues, decodePart, isNothing } from './content.ts'
import { placeSeals } from './open-bundles.ts'
import { CONTENT } from './request.ts'
import { ISSUER, type GenaiRequest, type WireContent, type WirePart } from './schema.ts'
import { PATHS } from './members.ts'
import { SETTING_SITES } from './settings.ts'

/** Where the values of a decoded request stand in the body. */
export const sites: SiteRules = {
  request: siteTable({ ...PATHS.request, ...SETTING_SITES }),
  part: siteTable(PATHS.part),
  tool: siteTable(PATHS.tool),
  messages(body) {
    const { systemInstruction, contents } = body as GenaiRequest // it was decoded as one
    const turns = contentsSites(contents)
    const instructions = partSites(systemInstruction?.parts ?? [], ['systemInstruction', 'parts'])
    return instructions.length === 0
      ? turns
      : [{ at: ['systemInstruction'], parts: instructions.map(({ site }) => site) }, ...turns]
  },
  tools: ({ tools }) => (Array.isArray(tools) ? tools.flatMap(toolSites) : []),
  spell: spellRequest,
}

/** A decoded part, and where it stands. */
interface Placed {
  readonly part: Part
  readonly site: Site
}

/** Contents of the model that follow one another are one message, and texts in them that go on are one part. */
function contentsSites(contents: readonly WireContent[]): Site[] {
  const turns: { readonly at: Path; readonly parts: readonly Placed[] }[] = []
  let open: Placed[] | undefined
  for (const [index, content] of contents.entries()) {
    const at = ['contents', index]
    const hasExtras = unknownOf(content, CONTENT) !== undefined
    const parts = partSites(content.parts, [...at, 'parts'])
    if (parts.length === 0 && !hasExtras) continue
    const isModel = content.role === 'model'
    if (isModel && !hasExtras && open !== undefined) {
      for (const each of parts) append(open, each)
      continue
    }
    open = isModel ? [] : undefined
    for (const each of open === undefined ? [] : parts) append(open ?? [], each)
    turns.push({ at, parts: open ?? parts })
  }
  return turns.map(({ at, parts }) => ({ at, parts: openedSites(parts) }))
}

/** The seals that a call has carried stand in its signature. */
function openedSites(placed: readonly Placed[]): Site[] {
  return placeSeals(placed.map(({ part }) => part)).flatMap(({ from, sealedBy }) => {
    const site = placed[from]?.site
    const carrier = sealedBy === undefined ? undefined : placed[sealedBy]?.site
    if (site === undefined) return []
    return carrier === undefined ? site : { ...site, members: { seal: [...carrier.at, 'thoughtSignature'] } }
  })
}

/** Goes on with the last part, or begins another: see `appendPart`. */
function append(parts: Placed[], next: Placed): void {
  const before = parts.at(-1)
  if (isNothing(next.part)) return
  if (before === undefined || !continues(before.part, next.part)) return void parts.push(next)
  const { seal } = next.part
  if (seal === undefined) return
  const site = { ...before.site, members: { seal: [...next.site.at, 'thoughtSignature'] } }
  parts.splice(-1, 1, { part: { ...before.part, seal }, site })
}

function partSites(wires: readonly WirePart[], at: Path): Placed[] {
  return wires.flatMap((wire, index) => {
    if (isEmpty(wire)) return []
    const path = [...at, index]
    return { part: decodePart(wire, { issuer: ISSUER }), site: { at: path, parts: resultSites(wire, path) } }
  })
}

/** The text of a result, if it is one, and its media. */
function resultSites({ functionResponse }: WirePart, path: Path): Site[] {
  if (!isObject(functionResponse)) return []
  const at = [...path, 'functionResponse']
  const response = functionResponse.response ?? {}
  const [key = '', second] = Object.keys(response)
  const isText = second === undefined && (key === 'output' || key === 'error') && typeof response[key] === 'string'
  const media = listSites(functionResponse.parts, [...at, 'parts'])
  return isText && response[key] !== '' ? [{ at: [...at, 'response', key] }, ...media] : media
}

function toolSites(tool: unknown, index: number): Site[] {
  return Object.entries(isObject(tool) ? tool : {}).flatMap(([member, value]): Site[] => {
    const at = ['tools', index, member]
    if (member !== 'functionDeclarations') return [{ at }]
    return listSites(value, at)
  })
}
