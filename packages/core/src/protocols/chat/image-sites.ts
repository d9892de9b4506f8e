import type { Path } from '../../ir/loss.ts'
import { valueAt } from '../../lib/json-path.ts'
import type { JsonObject } from '../../lib/json.ts'
import { siteTable, type SiteTable } from '../locate.ts'

const MEMBERS = siteTable({
  'settings.count': 'n',
  'settings.size': 'size',
  'settings.quality': 'quality',
  'settings.background': 'background',
  'settings.format': 'output_format',
  'settings.compression': 'output_compression',
  'settings.safety': 'moderation',
  'settings.fidelity': 'input_fidelity',
  'settings.style': 'style',
  'delivery.stream': 'stream',
  'delivery.partials': 'partial_images',
  'delivery.form': 'response_format',
  user: ['safety_identifier', 'user'],
})

/** Where a body has the values of a decoded request. Its images are in two members, each in one of several forms. */
export function imageSitesOf(body: JsonObject): SiteTable {
  const references = [...sitesOf(body, 'image'), ...sitesOf(body, 'images')]
  return new Map([
    ...MEMBERS,
    ['references', [['images'], ['image']]],
    ...references.flatMap((site, index) => imageSites(body, site, `references.${index}`)),
    ...imageSites(body, ['mask'], 'mask'),
  ])
}

function sitesOf(body: JsonObject, member: string): readonly Path[] {
  const value = body[member]
  if (Array.isArray(value)) return value.map((_, index) => [member, index])
  return value == null ? [] : [[member]]
}

/** An image is a string, or an object with its URL in one of these places. */
function imageSites(body: JsonObject, site: Path, name: string): readonly (readonly [string, readonly Path[]])[] {
  const inside = [['image_url', 'url'], ['image_url'], ['url']].map((keys) => [...site, ...keys])
  return [
    [name, [site]],
    [`${name}.source`, [inside.find((path) => valueAt(body, path) !== undefined) ?? site]],
  ]
}
