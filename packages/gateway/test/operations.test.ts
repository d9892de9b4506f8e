import { type Protocol } from '@dragoman/core'
import type { Transport } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { createFetchHandler, createMemoryKeys } from '../src/index.ts'
import { composeGateway } from '../src/gateway.ts'
import type { RoutedOperation } from '../src/pipeline/operation.ts'
import { readForm } from '../src/bodies/read-form.ts'
import { operations } from '../src/operations/table.ts'
import { fillSettings } from '../src/fill-settings.ts'
import { fakeProtocol, parse } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'
import { get } from './set-up.ts'

const red = fakeProtocol('red', '/red')

/** A protocol with one more path, for an operation with this name. */
function withPath(path: string, operation: string): Protocol {
  const match: Protocol['http']['match'] = (method, asked, query) =>
    asked === path ? (method === 'POST' ? { operation } : 'method') : red.http.match(method, asked, query)
  return { ...red, http: { ...red.http, match } }
}

interface UploadFacts {
  readonly peek: { readonly model: string; readonly stream: boolean }
  readonly losses: []
  readonly size: number
}

/** An operation in one file: it takes a form, and its answer has the size of the file. */
const upload: RoutedOperation<UploadFacts, number> = {
  name: 'upload',
  body: 'multipart',
  codec: 'request',
  needsKey: true,
  metered: 'nothing',
  serves: ({ provider }) => provider.name === 'able',
  createWork(_inbound, _match, { bytes, form }) {
    let size = 0
    return {
      async read() {
        const fields = await readForm(bytes, form)
        const [model, file] = [fields.get('model'), fields.get('file')]
        size = file instanceof File ? (await file.arrayBuffer()).byteLength : 0
        return { peek: { model: typeof model === 'string' ? model : '', stream: false }, losses: [], size }
      },
      prepare: () => ({ plan: { mode: 'relay' }, body: 'x', losses: [], lossCount: 0, asked: size }),
      close() {},
    }
  },
  send: (_call, route, { body, asked }) => ({
    operation: 'generate',
    body,
    stream: false,
    createHandler: (call) => ({
      call,
      streamType: '',
      error: (status, text) => route.protocol.error.decode(status, text),
      whole: () => ({ body: JSON.stringify({ size: asked, by: route.id }), losses: [] }),
      stream: () => expect.fail('no stream'),
    }),
  }),
}

/** Answers every call with an empty body. */
const ANSWERS: Transport = {
  send(_call, receiver) {
    receiver.onHead(200, () => undefined)
    receiver.onEnd()
    return { pause() {}, resume() {}, cancel() {} }
  },
}

function serve() {
  const settings = fillSettings({
    providers: [fakeProvider('able', ['red']), fakeProvider('other', ['red'])],
    protocols: [withPath('/upload', 'upload')],
    keys: createMemoryKeys([{ id: 'tester', secret: 'secret' }]),
    transport: ANSWERS,
  })
  const handle = createFetchHandler(composeGateway({ ...settings, operations: [...operations, upload] }))
  return (body: FormData | string, headers: Record<string, string> = {}) =>
    handle(
      new Request('http://gateway/red/upload', {
        method: 'POST',
        headers: { authorization: 'Bearer secret', ...headers },
        body,
      }),
    )
}

function form(model: string): FormData {
  const fields = new FormData()
  fields.set('model', model)
  fields.set('file', new File([Uint8Array.of(0, 255, 13, 10, 45)], 'image.png'))
  return fields
}

describe('an operation of its own', () => {
  it('takes a form, file and all', async () => {
    const answer = await serve()(form('able/m'))
    expect([answer.status, await answer.json()]).toEqual([200, { size: 5, by: 'able/m' }])
  })
  it('is refused where no route serves it', async () => {
    const answer = await serve()(form('other/m'))
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('upload')])
  })
  it('is refused for a body that is not a form', async () => {
    const send = serve()
    expect((await send('{}', { 'content-type': 'application/json' })).status).toBe(415)
    expect((await send('nothing', { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(400)
  })
})

describe('an operation that is not there', () => {
  it.each([
    ['is unknown to the gateway', 'dance'],
    ['has no codec in the protocol', 'count'],
  ])('%s: a native 404', async (_why, operation) => {
    const reply = await get({ protocols: [withPath('/extra', operation)] }, 'POST', '/red/extra')
    expect(reply.status).toBe(404)
    expect(parse(reply.text)).toMatchObject({ red: { kind: 'not-found' } })
  })
})
