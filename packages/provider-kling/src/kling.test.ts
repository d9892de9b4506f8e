import { createHmac } from 'node:crypto'
import { createLosses, type JsonObject, type Loss } from '@dragoman/core'
import type { ImageRequest, VideoRequest } from '@dragoman/core/media'
import { BEARER } from '@dragoman/core/provider'
import {
  createDriverUpstream,
  createScriptedUpstream,
  describeProvider,
  type DriverUpstream,
  type ScriptedAnswer,
  type ScriptedUpstream,
  type SeenCall,
} from '@dragoman/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKling, fromEnvironment } from './index.ts'

describeProvider('kling', {
  create: createKling,
  auth: BEARER,
  basePath: '/v1',
  paths: {},
  environment: { key: 'KLING_API_KEY', baseURL: 'KLING_BASE_URL', enable: fromEnvironment },
  model: 'kling-v3',
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const SOURCE = { kind: 'base64', mime: 'image/png', data: PNG.toString('base64') } as const
const DATA = SOURCE.data
const SECRET = 'secret-of-kling'

let server: ScriptedUpstream
let upstream: DriverUpstream
beforeAll(async () => {
  server = await createScriptedUpstream()
  const provider = createKling({ baseURL: `${server.url}/v1`, keys: `access-key-1:${SECRET}` })
  upstream = createDriverUpstream(provider, 'kling-v3')
})
afterAll(async () => {
  await upstream.close()
  await server.close()
})

/** Whether a call has a token that Kling accepts: signed, for this access key, valid now and for at most half an hour. */
function isSigned({ headers }: SeenCall): boolean {
  const token = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? ''
  const [head = '', claims = '', signature] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as JsonObject // a part of a token
  const { iss, exp, nbf } = read(claims) as { iss: string; exp: number; nbf: number } // as Kling documents
  const now = Date.now() / 1000
  return (
    read(head)['alg'] === 'HS256' &&
    signature === createHmac('sha256', SECRET).update(`${head}.${claims}`).digest('base64url') &&
    iss === 'access-key-1' &&
    nbf < now &&
    exp > now &&
    exp <= now + 1800
  )
}

/** Kling: refuses calls without a valid token, and finishes a task at the second poll. */
function play(result: JsonObject): void {
  let polls = 0
  server.answer((call): ScriptedAnswer => {
    if (call.path.startsWith('/results/')) return { headers: { 'content-type': 'image/png' }, body: PNG }
    if (!isSigned(call)) return { status: 401, body: '{"code":1004,"message":"Authorization expired"}' }
    const isPoll = call.method === 'GET'
    if (isPoll) polls++
    const data = isPoll && polls > 1 ? result : { task_id: 'task/1', task_status: isPoll ? 'processing' : 'submitted' }
    return { body: JSON.stringify({ code: 0, message: 'SUCCEED', request_id: 'r1', data }) }
  })
}

function lossesOf(losses: readonly Loss[]): readonly string[] {
  return losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)
}

describe('images of Kling', () => {
  const { drivers } = createKling({ keys: 'k' })
  const draw = async (request: Omit<ImageRequest, 'model' | 'delivery'>) => {
    const losses = createLosses()
    const before = server.seen.length
    const answer = await drivers?.image?.draw({ model: 'kling-v3', delivery: {}, ...request }, upstream, losses)
    return { answer, calls: server.seen.slice(before), losses: lossesOf(losses.entries()) }
  }

  it('are submitted, polled with a signed token, and downloaded without one', async () => {
    const image = { index: 0, url: `${server.url}/results/1.png` }
    play({ task_id: 'task/1', task_status: 'succeed', task_result: { images: [image, { ...image, index: 1 }] } })
    const { answer, calls } = await draw({ prompt: 'a red kite', settings: { count: 2 } })
    expect(answer).toEqual({ images: [{ source: SOURCE }, { source: SOURCE }] })
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/images/generations',
      'GET /v1/images/generations/task%2F1',
      'GET /v1/images/generations/task%2F1',
      'GET /results/1.png',
      'GET /results/1.png',
    ])
    expect(calls.map(({ headers }) => headers['authorization'] !== undefined)).toEqual([true, true, true, false, false])
    expect(calls[0]?.body).toEqual({ model_name: 'kling-v3', prompt: 'a red kite', n: 2 })
  })

  it.each<[string, Partial<ImageRequest>, JsonObject, readonly string[]]>([
    ['sampleCount', { settings: { count: 9 } }, { n: 9 }, []],
    ['negativePrompt', { settings: { negativePrompt: 'rain' } }, { negative_prompt: 'rain' }, []],
    ['aspectRatio', { settings: { aspectRatio: '21:9' } }, { aspect_ratio: '21:9' }, []],
    ['sampleImageSize', { settings: { tier: '2K' } }, { resolution: '2k' }, []],
    ['addWatermark', { settings: { watermark: false } }, { watermark_info: { enabled: false } }, []],
    ['image as bare base64', { references: [{ source: SOURCE }] }, { image: DATA }, []],
    [
      'image as a URL, as a subject',
      { references: [{ source: { kind: 'url', url: 'https://a.example/x.png' }, role: 'subject' }] },
      { image: 'https://a.example/x.png', image_reference: 'subject' },
      [],
    ],
    [
      'image, but no negative prompt with it',
      { references: [{ source: SOURCE, role: 'style' }], settings: { negativePrompt: 'rain' } },
      { image: DATA },
      ['dropped settings.negativePrompt', 'dropped references.0.role'],
    ],
  ])('say %s as Kling does', async (_name, request, members, lost) => {
    play({ task_status: 'succeed', task_result: { images: [{ url: `${server.url}/results/1.png` }] } })
    const { calls, losses } = await draw({ prompt: 'a kite', settings: {}, ...request })
    expect(calls[0]?.body).toEqual({ model_name: 'kling-v3', prompt: 'a kite', ...members })
    expect(losses).toEqual(lost)
  })

  it('are blocked if the task failed because of its content, and fail otherwise', async () => {
    play({ task_status: 'failed', task_status_msg: 'Failure to pass the risk control system' })
    const { answer } = await draw({ prompt: 'x', settings: {} })
    expect(answer).toEqual({ images: [{ blocked: 'Failure to pass the risk control system' }] })
    play({ task_status: 'failed', task_status_msg: 'Image resolution is too low' })
    await expect(draw({ prompt: 'x', settings: {} })).rejects.toMatchObject({
      kind: 'upstream-error',
      message: 'Image resolution is too low',
    })
  })

  it.each([
    [
      { status: 400, body: '{"code":1201,"message":"n is too large"}' },
      { kind: 'invalid-request', code: '1201' },
    ],
    [
      { status: 429, body: '{"code":1303,"message":"too many tasks"}' },
      { kind: 'rate-limit', code: '1303' },
    ],
    [{ body: '{"code":1102,"message":"no credit"}' }, { kind: 'budget', message: 'no credit' }],
    [{ body: '{"code":1302,"message":"too fast"}' }, { kind: 'rate-limit' }],
    [{ body: '{"code":5000,"message":"oops"}' }, { kind: 'upstream-error' }],
  ])('fail as Kling says: %j', async (answer, error) => {
    server.answer(answer)
    await expect(draw({ prompt: 'x', settings: {} })).rejects.toMatchObject(error)
  })

  it('are blocked if Kling does not take the prompt', async () => {
    server.answer({ status: 400, body: '{"code":1301,"message":"Triggered the policy of the platform"}' })
    const { answer } = await draw({ prompt: 'x', settings: { count: 2 } })
    const blocked = 'Triggered the policy of the platform'
    expect(answer).toEqual({ images: [{ blocked }, { blocked }] })
  })
})

describe('videos of Kling', () => {
  const { drivers } = createKling({ keys: 'k' })
  const driver = drivers?.video
  const PATHS = { text: '/v1/videos/text2video', frame: '/v1/videos/image2video', many: '/v1/videos/multi-image2video' }

  it.each<[string, Partial<VideoRequest>, keyof typeof PATHS, JsonObject, readonly string[]]>([
    ['prompt', {}, 'text', {}, []],
    ['image', { image: { source: SOURCE } }, 'frame', { image: DATA }, []],
    [
      'lastFrame',
      { image: { source: SOURCE }, lastFrame: { source: SOURCE } },
      'frame',
      { image: DATA, image_tail: DATA },
      [],
    ],
    [
      'references',
      { references: [{ source: SOURCE }, { source: SOURCE }], settings: { aspectRatio: '1:1' } },
      'many',
      { image_list: [{ image: DATA }, { image: DATA }], aspect_ratio: '1:1' },
      [],
    ],
    [
      'references, but not with a frame',
      { image: { source: SOURCE }, references: [{ source: SOURCE }] },
      'frame',
      { image: DATA },
      ['dropped references.0'],
    ],
    ['aspectRatio', { settings: { aspectRatio: '9:16' } }, 'text', { aspect_ratio: '9:16' }, []],
    [
      'aspectRatio, but not with a frame',
      { image: { source: SOURCE }, settings: { aspectRatio: '9:16' } },
      'frame',
      { image: DATA },
      ['dropped settings.aspectRatio'],
    ],
    ['resolution 720p', { settings: { resolution: '720p' } }, 'text', { mode: 'std' }, []],
    ['resolution 1080p', { settings: { resolution: '1080p' } }, 'text', { mode: 'pro' }, []],
    ['durationSeconds as text', { settings: { seconds: 10 } }, 'text', { duration: '10' }, []],
    ['generateAudio: false', { settings: { audio: false } }, 'text', { sound: 'off' }, []],
    [
      'generateAudio: true',
      { settings: { audio: true, resolution: '720p' } },
      'text',
      { sound: 'on', mode: 'std' },
      [],
    ],
    ['negativePrompt', { settings: { negativePrompt: 'rain' } }, 'text', { negative_prompt: 'rain' }, []],
  ])('say %s as Kling does, and are polled where they were submitted', async (_name, request, path, members, lost) => {
    const videos = [{ id: 'v1', url: 'https://cdn.example/v1.mp4', duration: '5.1' }]
    play({ task_status: 'succeed', task_result: { videos } })
    const losses = createLosses()
    const before = server.seen.length
    const whole = { model: 'kling-v3', prompt: 'a kite', settings: {}, ...request }
    const token = (await driver?.submit(whole, upstream, losses)) ?? {}
    expect(await driver?.poll(token, upstream)).toEqual({ status: 'running' })
    const source = { kind: 'url', url: 'https://cdn.example/v1.mp4', mime: 'video/mp4' }
    expect(await driver?.poll(token, upstream)).toEqual({ status: 'done', videos: [{ source }] })
    const calls = server.seen.slice(before)
    expect(calls[0]?.body).toEqual({ model_name: 'kling-v3', prompt: 'a kite', ...members })
    const poll = `GET ${PATHS[path]}/task%2F1`
    expect(calls.map((call) => `${call.method} ${call.path}`)).toEqual([`POST ${PATHS[path]}`, poll, poll])
    expect(lossesOf(losses.entries())).toEqual(lost)
  })

  it('fail or are blocked as the task says', async () => {
    const token = { id: 'task/1', path: '/videos/text2video' }
    const states = [
      ['Failure to pass the risk control system', { status: 'done', videos: [], blocked: { count: 1 } }],
      ['The server is busy', { status: 'failed', error: { kind: 'upstream-error', message: 'The server is busy' } }],
    ] as const
    for (const [task_status_msg, state] of states) {
      play({ task_status: 'failed', task_status_msg })
      await driver?.poll(token, upstream)
      expect(await driver?.poll(token, upstream)).toMatchObject(state)
    }
  })
})
