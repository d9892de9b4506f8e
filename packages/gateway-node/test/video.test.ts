import { describe, expect, it } from 'vitest'
import { doneAt, filmProvider, filmUpstream, SEALING_KEY, serveFilms, UPSTREAM_KEY } from './film-upstream.ts'

const IMAGE = { bytesBase64Encoded: 'iVBORw0KGgo=', mimeType: 'image/png' }

describe('a submission', () => {
  it('[video.submit] is answered with the name of an operation, and charged', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream)])
    const { status, headers, body } = await gateway.submit({ prompt: 'A cat.' }, { durationSeconds: 6, sampleCount: 2 })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['name'])
    expect(body.name).toMatch(/^publishers\/google\/models\/veo\/operations\/[\w-]+$/)
    expect(headers.get('x-dragoman-cost')).toBe('4.800000000')
    expect(gateway.ledger.records).toMatchObject([
      { operation: 'video-submit', caller: 'alice', model: 'google/veo', cost: { total: 4_800_000_000 } },
    ])
    expect(JSON.stringify([body, gateway.log.entries])).not.toContain(UPSTREAM_KEY)
  })

  it('[video.prompt] [video.image] [video.lastFrame] [video.aspectRatio] [video.resolution] [video.durationSeconds] [video.generateAudio] [video.negativePrompt] [video.enhancePrompt] [video.personGeneration] [video.sampleCount] [video.seed] [video.fps] reaches the upstream with every parameter', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream)])
    const parameters = {
      aspectRatio: '9:16',
      resolution: '1080p',
      durationSeconds: 8,
      generateAudio: false,
      negativePrompt: 'dogs',
      enhancePrompt: true,
      personGeneration: 'allow_adult',
      sampleCount: 3,
      seed: 7,
      fps: 24,
    }
    const instance = { prompt: 'A cat.', image: IMAGE, lastFrame: IMAGE }
    const { headers } = await gateway.submit(instance, { ...parameters, personGeneration: 'ALLOW_ADULT' })
    expect(upstream.calls).toMatchObject([
      { method: 'POST', path: '/v1beta/models/veo-1:predictLongRunning', key: UPSTREAM_KEY },
    ])
    expect(upstream.calls[0]?.body).toMatchObject({
      instances: [instance],
      parameters: { ...parameters, personGeneration: expect.stringMatching(/^allow_adult$/i) as string },
    })
    expect(headers.get('x-dragoman-losses')).toBeNull()
    const { status } = await gateway.submit({ image: IMAGE })
    expect(status).toBe(200)
  })

  it.each<[string, string, object, object, string]>([
    ['[video.prompt]', 'no prompt', {}, {}, 'instances.0.prompt'],
    [
      '[video.image]',
      'wrong base64',
      { image: { ...IMAGE, bytesBase64Encoded: 'a*b' } },
      {},
      'instances.0.image.bytesBase64Encoded',
    ],
    ['[video.image]', 'a wrong type', { image: { ...IMAGE, mimeType: 'text/html' } }, {}, 'instances.0.image.mimeType'],
    ['[video.lastFrame]', 'a last frame alone', { prompt: 'a', lastFrame: IMAGE }, {}, 'instances.0.lastFrame'],
    ['[video.aspectRatio]', 'a ratio', { prompt: 'a' }, { aspectRatio: '1:1' }, 'parameters.aspectRatio'],
    ['[video.resolution]', 'a resolution', { prompt: 'a' }, { resolution: '4k' }, 'parameters.resolution'],
    ['[video.durationSeconds]', 'a length', { prompt: 'a' }, { durationSeconds: 5 }, 'parameters.durationSeconds'],
    [
      '[video.durationSeconds]',
      'a broken length',
      { prompt: 'a' },
      { durationSeconds: 4.5 },
      'parameters.durationSeconds',
    ],
    ['[video.generateAudio]', 'a word', { prompt: 'a' }, { generateAudio: 'no' }, 'parameters.generateAudio'],
    ['[video.negativePrompt]', 'a number', { prompt: 'a' }, { negativePrompt: 1 }, 'parameters.negativePrompt'],
    ['[video.enhancePrompt]', 'a word', { prompt: 'a' }, { enhancePrompt: 'yes' }, 'parameters.enhancePrompt'],
    ['[video.personGeneration]', 'a word', { prompt: 'a' }, { personGeneration: 'all' }, 'parameters.personGeneration'],
    ['[video.sampleCount]', 'too many', { prompt: 'a' }, { sampleCount: 5 }, 'parameters.sampleCount'],
    ['[video.seed]', 'a fraction', { prompt: 'a' }, { seed: 0.5 }, 'parameters.seed'],
    ['[video.fps]', 'a frame rate', { prompt: 'a' }, { fps: 25 }, 'parameters.fps'],
  ])(
    '%s is refused for %s with the name of the field, before any call',
    async (_row, _what, instance, parameters, field) => {
      await using upstream = await filmUpstream()
      await using gateway = await serveFilms([filmProvider(upstream)])
      const { status, body } = await gateway.submit(instance, parameters)
      expect(status).toBe(400)
      expect(body.error).toMatchObject({
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: expect.stringContaining(field) as string,
      })
      expect(body.error?.details?.[0]?.fieldViolations?.[0]?.field).toBe(field)
      expect(upstream.calls).toEqual([])
    },
  )

  it('[video.instances] has exactly one instance', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream)])
    for (const instances of [[], [{ prompt: 'a' }, { prompt: 'b' }], { prompt: 'a' }, undefined]) {
      const { status, body } = await gateway.post('predictLongRunning', { instances })
      expect([status, body.error?.status]).toEqual([400, 'INVALID_ARGUMENT'])
      expect(body.error?.message).toContain('instances')
    }
    expect(upstream.calls).toEqual([])
  })

  it('reports settings that the model does not have', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream, { video: { defaultSeconds: 5 } })])
    const { headers } = await gateway.submit({ prompt: 'a' }, { seed: 1, generateAudio: true })
    expect(headers.get('x-dragoman-losses')).toMatch(/^2: dropped /)
    expect(upstream.calls[0]?.body).toEqual({ instances: [{ prompt: 'a' }] })
  })

  it('[video.submit] uses another provider if the first fails', async () => {
    await using broken = await filmUpstream()
    await using upstream = await filmUpstream()
    broken.accept = () => ({ status: 500, body: { error: { code: 500, message: 'broken', status: 'INTERNAL' } } })
    await using gateway = await serveFilms([filmProvider(broken, {}, 'first'), filmProvider(upstream, {}, 'second')], {
      aliases: { film: { routes: [{ model: 'first/veo' }, { model: 'second/veo' }] } },
    })
    const { status, body, headers } = await gateway.post(
      'predictLongRunning',
      { instances: [{ prompt: 'a' }] },
      'sk-alice',
      'google/models/film',
    )
    expect([status, headers.get('x-dragoman-provider')]).toEqual([200, 'second'])
    expect(body.name).toMatch(/^publishers\/google\/models\/film\/operations\//)
    const polled = await gateway.poll(body.name, undefined, 'google/models/film')
    expect([polled.status, polled.headers.get('x-dragoman-provider')]).toEqual([200, 'second'])
    expect(broken.calls).toHaveLength(1)
  })

  it('keeps the error of the upstream, and charges nothing for it', async () => {
    await using upstream = await filmUpstream()
    upstream.accept = () => ({
      status: 429,
      body: { error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } },
    })
    await using gateway = await serveFilms([filmProvider(upstream)])
    const { status, body } = await gateway.submit()
    expect([status, body.error]).toMatchObject([429, { code: 429, status: 'RESOURCE_EXHAUSTED' }])
    expect(gateway.ledger.records.map(({ cost }) => cost)).toEqual([undefined])
  })

  it('is explained without any call', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream)])
    const response = await fetch(
      `${gateway.url}/explain/api/vertex-ai/v1/publishers/google/models/veo:predictLongRunning`,
      {
        method: 'POST',
        headers: { 'x-goog-api-key': 'sk-alice', 'content-type': 'application/json' },
        body: JSON.stringify({ instances: [{ prompt: 'a' }], parameters: { seed: 1 } }),
      },
    )
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('google/veo')
    expect(upstream.calls).toEqual([])
  })

  it('is refused without a sealing key, and says where to set it', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream)], { sealingKeys: [], sealingAt: 'HERE' })
    const { status, body } = await gateway.submit()
    expect(status).toBe(503)
    expect(body.error?.message).toContain('sealing key')
    expect(body.error?.message).toContain('HERE')
    expect(upstream.calls).toEqual([])
  })
})

describe('an operation', () => {
  it('[video.state.progress] [video.poll] is not done while the upstream works, and asking is free', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream)])
    const { name } = (await gateway.submit()).body
    const { status, body, headers } = await gateway.poll(name)
    expect([status, body]).toEqual([200, { name }])
    expect(headers.get('x-dragoman-cost')).toBeNull()
    expect(upstream.calls[1]).toMatchObject({
      method: 'GET',
      path: '/v1beta/models/veo-1/operations/op1',
      key: UPSTREAM_KEY,
    })
    expect(gateway.ledger.records.map(({ operation, cost }) => [operation, cost === undefined])).toEqual([
      ['video-submit', false],
      ['video-poll', true],
    ])
  })

  it('[video.state.done] has its videos, and nothing of the upstream that needs its key', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream)])
    upstream.states = [{}, doneAt(`${upstream.url}/v1beta/files/a:download?alt=media`)]
    const { name } = (await gateway.submit()).body
    expect((await gateway.poll(name)).body.done).toBeUndefined()
    const { body } = await gateway.poll(name)
    expect(body).toMatchObject({ name, done: true })
    expect(body.response?.videos).toEqual([
      { gcsUri: expect.stringContaining(gateway.url) as string, mimeType: 'video/mp4' },
    ])
    expect(JSON.stringify(body)).not.toContain(upstream.url)
  })

  it('[video.state.done] hands out addresses and data that anybody can open as they are', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream)])
    const videos = [
      { gcsUri: 'https://cdn.example.com/a.mp4', mimeType: 'video/webm' },
      { bytesBase64Encoded: 'AAAA', mimeType: 'video/mp4' },
    ]
    upstream.states = [{ done: true, response: { videos } }]
    const { name } = (await gateway.submit()).body
    expect((await gateway.poll(name)).body).toEqual({ name, done: true, response: { videos } })
  })

  it('[video.state.blocked] [err.moderation] says what moderation has blocked', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream)])
    const generateVideoResponse = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['Violence.'] }
    upstream.states = [{ done: true, response: { generateVideoResponse } }]
    const { name } = (await gateway.submit()).body
    expect((await gateway.poll(name)).body).toEqual({
      name,
      done: true,
      response: { videos: [], ...generateVideoResponse },
    })
  })

  it('[video.state.failed] is done with the status of the failure', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream)])
    const error = { code: 9, message: 'It broke.', details: [{ reason: 'x' }] }
    upstream.states = [{ done: true, error }]
    const { name } = (await gateway.submit()).body
    expect((await gateway.poll(name)).body).toEqual({ name, done: true, error })
  })

  it('shows no key of the upstream in the words of a failure or a block, nor in an error', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream)])
    const generateVideoResponse = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: [`key ${UPSTREAM_KEY}`] }
    upstream.states = [
      { done: true, error: { code: 3, message: `wrong: ${UPSTREAM_KEY}` } },
      { done: true, response: { generateVideoResponse } },
    ]
    const { name } = (await gateway.submit()).body
    const failed = await gateway.poll(name)
    const blocked = await gateway.poll(name)
    upstream.accept = () => ({ status: 400, body: { error: { code: 400, message: `no: ${UPSTREAM_KEY}` } } })
    const refused = await gateway.submit()
    expect([failed.body.error?.code, blocked.body.response?.raiMediaFilteredCount, refused.status]).toEqual([3, 1, 400])
    expect(JSON.stringify([failed.body, blocked.body, refused.body])).not.toContain(UPSTREAM_KEY)
  })

  it('[video.restart] is known to every instance with the same sealing key, also after the key was replaced', async () => {
    await using upstream = await filmUpstream()
    await using first = await serveFilms([filmProvider(upstream)])
    const { name } = (await first.submit()).body
    await using second = await serveFilms([filmProvider(upstream)], { sealingKeys: ['n'.repeat(32), SEALING_KEY] })
    expect((await second.poll(name)).body).toEqual({ name })
    await using otherGateway = await serveFilms([filmProvider(upstream)], { sealingKeys: ['n'.repeat(32)] })
    expect((await otherGateway.poll(name)).status).toBe(404)
  })

  it('[video.poll] [video.tenant] is unknown to other owners, under other models and after any change, in the same words', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream), filmProvider(upstream, { name: 'other' }, 'else')])
    const { name } = (await gateway.submit()).body
    const cut = name.lastIndexOf('/') + 1
    const tampered = `${name.slice(0, cut + 20)}${name[cut + 20] === 'A' ? 'B' : 'A'}${name.slice(cut + 21)}`
    const asked = [
      await gateway.poll(name, 'sk-bob'),
      await gateway.poll(name, undefined, 'else/models/other'),
      await gateway.poll(name.replace('models/veo', 'models/other'), undefined, 'google/models/other'),
      await gateway.poll(tampered),
      await gateway.poll(`${name}A`),
      await gateway.poll('publishers/google/models/veo/operations/garbage'),
    ]
    for (const { status, body } of asked) {
      expect(status).toBe(404)
      expect(body.error).toEqual(asked[0]?.body.error)
    }
    expect(upstream.calls).toHaveLength(1)
    expect((await gateway.poll(name)).status).toBe(200)
  })

  it.each([undefined, '', 7, 'operations/x', 'models/veo/operations/x'])(
    '[video.poll] needs its name: %j is refused with the name of the field',
    async (name) => {
      await using upstream = await filmUpstream()
      await using gateway = await serveFilms([filmProvider(upstream)])
      const { status, body } = await gateway.poll(name)
      expect([status, body.error?.status]).toEqual([400, 'INVALID_ARGUMENT'])
      expect(body.error?.message).toContain('operationName')
    },
  )

  it('[video.poll] needs a key', async () => {
    await using upstream = await filmUpstream()
    await using gateway = await serveFilms([filmProvider(upstream)])
    const { name } = (await gateway.submit()).body
    expect((await gateway.poll(name, 'sk-wrong')).status).toBe(401)
  })

  it('is gone when its model is', async () => {
    await using upstream = await filmUpstream()
    await using first = await serveFilms([filmProvider(upstream)])
    const { name } = (await first.submit()).body
    await using later = await serveFilms([filmProvider(upstream, { name: 'veo-2' })])
    expect((await later.poll(name)).status).toBe(404)
  })
})
