import { createFile, MP4BoxBuffer, type ISOFile, type Movie } from 'mp4box'
import { describe, expect, it } from 'vitest'
import { encodeFilm, type Film } from './film.ts'

const film: Film = { prompt: 'A boat', seed: 1, seconds: 3, fps: 24, sound: false, width: 320, height: 192 }

/** What an independent parser reads. */
async function probe(options: Partial<Film>): Promise<{ movie: Movie; file: ISOFile; bytes: Uint8Array }> {
  const bytes = await encodeFilm({ ...film, ...options })
  const file = createFile()
  const { promise, resolve, reject } = Promise.withResolvers<Movie>()
  file.onReady = resolve
  file.onError = (module, message) => reject(new Error(`${module}: ${message}`))
  file.appendBuffer(MP4BoxBuffer.fromArrayBuffer(bytes.buffer, 0))
  file.flush()
  return { movie: await promise, file, bytes }
}

describe('a film', () => {
  it.each([
    [1280, 720, 8, 24],
    [720, 1280, 5, 30],
    [1080, 1080, 1, 60],
    [1920, 1080, 4, 25],
    [320, 192, 2, 1],
    [320, 192, 1, 1],
  ])('of %i by %i pixels and %i seconds with %i frames a second', async (width, height, seconds, fps) => {
    const { movie, file } = await probe({ width, height, seconds, fps })
    expect(movie.duration / movie.timescale).toBe(seconds)
    expect(movie.tracks).toHaveLength(1)
    expect(movie.videoTracks[0]).toMatchObject({
      codec: 'avc1.42c02a',
      nb_samples: seconds * fps,
      video: { width, height },
    })
    const samples = file.getTrackSamplesInfo(movie.videoTracks[0]!.id)
    expect(samples.reduce((sum, { duration, timescale }) => sum + duration / timescale, 0)).toBeCloseTo(seconds, 6)
    expect(samples[0]?.is_sync).toBe(true)
  })

  it('has a key frame every two seconds', async () => {
    const { movie, file } = await probe({ seconds: 5 })
    const samples = file.getTrackSamplesInfo(movie.videoTracks[0]!.id)
    expect(samples.flatMap(({ is_sync: isKey, dts, timescale }) => (isKey ? dts / timescale : []))).toEqual([0, 2, 4])
  })

  it('has every sample inside the data, and the index before it', async () => {
    const { movie, file, bytes } = await probe({ sound: true })
    expect(movie.isProgressive).toBe(true)
    const ranges = movie.tracks
      .flatMap(({ id }) => file.getTrackSamplesInfo(id))
      .map(({ offset, size }) => [offset, offset + size] as const)
      .sort(([left], [right]) => left - right)
    const data = file.boxes.find(({ type }) => type === 'mdat')!
    // No gap and no overlap: the samples are the data.
    let end = data.start! + 8
    for (const [from, to] of ranges) {
      expect(from).toBe(end)
      end = to
    }
    expect(end).toBe(bytes.length)
  })

  it('has a sound track of the same length if requested', async () => {
    const { movie } = await probe({ sound: true })
    expect(movie.audioTracks).toHaveLength(1)
    const [track] = movie.audioTracks
    expect(track).toMatchObject({ codec: 'mp4a.40.2', audio: { sample_rate: 48_000, channel_count: 1 } })
    expect(track!.duration / track!.timescale).toBeCloseTo(3, 1)
  })

  it('is the same for the same request, and differs for another seed or prompt', async () => {
    const bytesOf = async (options: Partial<Film> = {}): Promise<string> =>
      Buffer.from(await encodeFilm({ ...film, ...options })).toString('base64')
    const whole = await bytesOf()
    expect(await bytesOf()).toBe(whole)
    expect(await bytesOf({ seed: 2 })).not.toBe(whole)
    expect(await bytesOf({ prompt: 'A cat' })).not.toBe(whole)
    expect(await bytesOf({ sound: true, seed: 1 })).not.toBe(await bytesOf({ sound: true, seed: 2 }))
  })
})
