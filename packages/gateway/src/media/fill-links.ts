import { DragomanError, type Path, type Protocol } from '@dragoman/core'
import { findCodec, type LinkedSource, type MediaRequest, type ReplaceSource } from '@dragoman/core/media'
import type { LinkedFiles } from '../bodies/linked-files.ts'
import type { WorkOptions, WorkRoute } from '../bodies/request-work.ts'
import type { MediaMode } from './prepared-media.ts'
import type { MediaRules } from './rules.ts'

/** What decides which images of a request are downloaded. */
export interface Filling extends Pick<WorkOptions, 'downloads'> {
  readonly mode: MediaMode
  readonly inbound: Protocol
  readonly route: WorkRoute
  readonly files: LinkedFiles
  /** Finds the member of the caller's body. */
  readonly locate: (path: Path) => Path
}

/** The request with the files of images that are named by URLs, if its upstream wants their bytes. */
export function fillLinks(rules: MediaRules, request: MediaRequest, filling: Filling): MediaRequest {
  const { mode, files, downloads, locate } = filling
  const replace: ReplaceSource = (source, path) => {
    if (opens(rules, source, filling)) return undefined
    const param = locate(path).join('.')
    const file = downloads ? files.find({ ...linkOf(source), kind: 'image', param }) : undefined
    if (file !== undefined) return { kind: 'base64', ...file }
    // Protocols report what they cannot express; a driver would fail.
    if (mode === 'driver') throw new DragomanError('invalid-request', `${param}: ${NO_URLS}`, { param })
    return undefined
  }
  return rules.links?.(request, replace) ?? request
}

const NO_URLS = 'this model takes no images by URL.'

/** Whether an upstream opens the URL of an image itself, or takes the image in no form. */
function opens(
  rules: MediaRules,
  source: LinkedSource,
  { mode, inbound, route: { card, protocol } }: Filling,
): boolean {
  const urls = card.urls?.[protocol.name]
  switch (mode) {
    case 'conversation':
      return protocol.takesLinked?.({ type: 'media', kind: 'image', source }, urls) !== 'bytes'
    case 'driver':
      return urls !== false
    case 'protocol':
      // A request in the upstream's own protocol was written for what the upstream opens.
      return urls ?? (inbound === protocol || findCodec(rules.name, protocol)?.urls !== false)
    default:
      return mode satisfies never
  }
}

function linkOf({ url, mime }: LinkedSource): Pick<LinkedSource, 'url' | 'mime'> {
  return mime === undefined ? { url } : { url, mime }
}
