import { describe, expect, it } from 'vitest'
import type { ImageRequest } from './image.ts'
import { replaceLinkedFrames, replaceLinkedImages, type LinkedSource, type ReplaceSource } from './linked-media.ts'
import type { Path } from './loss.ts'
import { valueAt } from '../lib/json-path.ts'
import type { VideoRequest } from './video.ts'

const inline = { kind: 'base64', mime: 'image/png', data: 'AAAA' } as const
const linked = (name: string): LinkedSource => ({ kind: 'url', url: `https://files.example/${name}` })

const image: ImageRequest = {
  model: 'm',
  prompt: 'p',
  references: [{ source: linked('a'), id: 1 }, { source: inline }, { source: linked('b'), role: 'style' }],
  mask: { source: linked('c'), id: 9 },
  settings: {},
  delivery: {},
}
const video: VideoRequest = {
  model: 'm',
  image: { source: linked('a') },
  lastFrame: { source: linked('b') },
  references: [{ source: inline }, { source: linked('c'), role: 'style' }],
  settings: {},
}

describe.each([
  ['images', image, (replace: ReplaceSource) => replaceLinkedImages(image, replace)],
  ['frames', video, (replace: ReplaceSource) => replaceLinkedFrames(video, replace)],
])('linked %s', (_title, request, run) => {
  it('are shown with the path of their source, each once', () => {
    const seen: [LinkedSource, Path][] = []
    run((source, path) => {
      seen.push([source, path])
      return undefined
    })
    expect(seen.map(([{ url }]) => url.slice(-1)).sort()).toEqual(['a', 'b', 'c'])
    for (const [source, path] of seen) expect(valueAt(request, path)).toBe(source)
  })

  it('leave the same request if nothing is replaced', () => {
    expect(run(() => undefined)).toBe(request)
  })

  it('are replaced, and everything else stays', () => {
    const replaced = run(({ url }) => ({ ...inline, data: url.slice(-1) }))
    const expected = JSON.stringify(request).replaceAll(
      /\{"kind":"url","url":"https:\/\/files\.example\/(.)"\}/g,
      '{"kind":"base64","mime":"image/png","data":"$1"}',
    )
    expect(JSON.stringify(replaced)).toBe(expected)
  })
})
