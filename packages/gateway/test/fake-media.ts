import { DragomanError, type JsonObject, type Protocol } from '@dragoman/core'
import { mediaKinds, type ImageFacts, type MediaCodec } from '@dragoman/core/media'
import { createFetchHandler, createMemoryKeys, createMemoryLedger, createMemoryLog } from '../src/index.ts'
import { composeGateway } from '../src/gateway.ts'
import { fillSettings } from '../src/fill-settings.ts'
import { mediaOperation } from '../src/media/media-operation.ts'
import type { MediaRules } from '../src/media/rules.ts'
import { operations } from '../src/operations/table.ts'
import type { GatewayOptions } from '../src/call/settings.ts'
import { fakeProtocol } from './fake-protocol.ts'
import { scriptedTransport } from './scripted.ts'

/** The smallest kind of media: a call for images, whose answer has one text per image. */
export interface Sketch {
  readonly model: string
  readonly image?: string
  readonly count?: number
}

export interface Sketches {
  readonly images: readonly string[]
}

/** Protocols write the same members with their own name before it. */
function sketchCodec(name: string): MediaCodec<Sketch, Sketches> {
  const [image, count, images] = ['image', 'count', 'images'].map((member) => `${name}_${member}`) as [
    string,
    string,
    string,
  ]
  return {
    paths: { '/sketch': 'sketch' },
    check(body) {
      const { model } = body as JsonObject
      if (typeof model !== 'string')
        throw new DragomanError('invalid-request', 'model: must be a string.', { param: 'model' })
      return body as JsonObject
    },
    decode: (body) => ({
      model: body['model'] as string,
      ...(body[image] === undefined ? {} : { image: body[image] as string }),
      ...(body[count] === undefined ? {} : { count: body[count] as number }),
    }),
    encode: (request) => ({
      operation: 'sketch',
      body: {
        model: request.model,
        ...(request.image === undefined ? {} : { [image]: request.image }),
        ...(request.count === undefined ? {} : { [count]: request.count }),
      },
    }),
    answer: {
      decode: (body) => ({ images: body[images] as string[] }),
      encode: (answer) => ({ [images]: answer.images }),
    },
    tap: (options) => fakeProtocol(name, '').relay.tap(options),
  }
}

export const codecs = { red: sketchCodec('red'), blue: sketchCodec('blue') }

/** It takes the place of images: a card's limit is that of its `image` facts. */
export const rules: MediaRules<Sketch, Sketches, ImageFacts, Sketch> = {
  name: 'image',
  plural: 'sketches',
  operations: { sketch: 'json' },
  facts: mediaKinds.image.facts,
  modalities: () => ({ input: ['text'], output: ['image'] }),
  fit(request, { facts, losses }) {
    const { count = 1 } = request
    const { most = 1 } = facts ?? {}
    if (count > 10) throw new DragomanError('invalid-request', 'count: at most 10.', { param: 'count' })
    if (count <= most) return request
    losses.changed(['count'], most, 'the model draws fewer')
    return { ...request, count: most }
  },
  brief: ({ image: _, ...request }) => request,
  hasFiles: true,
  bill: ({ images }) => ({ images: images.length }),
  drive: ({ drivers }) =>
    drivers?.image && {
      async draw(request, upstream, losses) {
        const { status, text } = await upstream.send({ path: '/draw', headers: {} }, { ...request })
        if (status !== 200) throw new DragomanError('rate-limit', 'Too many sketches.')
        losses.dropped(['style'], 'the API has no style')
        return { images: [text()] }
      },
    },
  split: (request, { perCall }) => {
    const { count = 1 } = request
    const calls = Math.ceil(count / (perCall ?? count))
    return Array.from({ length: calls }, (_, index) =>
      calls === 1 ? request : { ...request, count: Math.min(perCall ?? count, count - index * (perCall ?? count)) },
    )
  },
  join: (answers) => ({ images: answers.flatMap(({ images }) => images) }),
}

/** A gateway with one more operation, at `<base>/sketch`. */
export function serveSketches(options: Partial<GatewayOptions> & Pick<GatewayOptions, 'providers'>) {
  const transport = scriptedTransport()
  const log = createMemoryLog()
  const ledger = createMemoryLedger()
  const settings = fillSettings({
    protocols: [withSketches('red'), withSketches('blue')],
    keys: createMemoryKeys([{ id: 'tester', secret: 'secret' }]),
    transport,
    log,
    ledger,
    ...options,
  })
  const sketch = mediaOperation(rules, 'sketch')
  const handle = createFetchHandler(composeGateway({ ...settings, operations: [...operations, sketch] }))
  const ask = (path: string, body: object): Promise<Response> =>
    handle(
      new Request(`http://gateway${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  return { ask, transport, log, ledger }
}

function withSketches(name: 'red' | 'blue'): Protocol {
  const protocol = fakeProtocol(name, `/${name}`)
  const { http } = protocol
  const match: Protocol['http']['match'] = (method, path, query) =>
    path === '/sketch' ? (method === 'POST' ? { operation: 'sketch' } : 'method') : http.match(method, path, query)
  const target: Protocol['http']['target'] = (operation, model, stream) =>
    operation === 'sketch' ? { path: '/sketch', headers: {} } : http.target(operation, model, stream)
  const codec: object = { image: codecs[name] }
  return { ...protocol, http: { ...http, match, target }, ...codec }
}
