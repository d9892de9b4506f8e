import type { JsonObject } from '../../lib/json.ts'
import { siteTable, type SiteTable } from '../locate.ts'
import type { WireVideoRequest } from './video-schema.ts'

const MEMBERS = siteTable({
  prompt: 'instances.0.prompt',
  image: 'instances.0.image',
  lastFrame: 'instances.0.lastFrame',
  'image.source': ['instances.0.image.gcsUri', 'instances.0.image'],
  'lastFrame.source': ['instances.0.lastFrame.gcsUri', 'instances.0.lastFrame'],
  references: 'instances.0.referenceImages',
  settings: 'parameters',
  'settings.count': 'parameters.sampleCount',
  'settings.seconds': 'parameters.durationSeconds',
  'settings.audio': 'parameters.generateAudio',
  'settings.enhance': 'parameters.enhancePrompt',
  'settings.people': 'parameters.personGeneration',
})

/** Where a checked body has the values of a decoded request. */
export function videoSitesOf(body: JsonObject): SiteTable {
  const [{ referenceImages = [] } = {}] = (body as WireVideoRequest).instances // checked at the edge
  const sources = referenceImages.map((_, index): [string, string[]] => [
    `references.${index}.source`,
    [`instances.0.referenceImages.${index}.image.gcsUri`, `instances.0.referenceImages.${index}.image`],
  ])
  return new Map([...MEMBERS, ...siteTable(Object.fromEntries(sources))])
}
