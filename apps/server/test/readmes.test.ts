import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { codeBlocks, writeBlock } from '@dragoman/testkit'
import { protocols } from '@dragoman/core/protocols'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from './process.ts'

// Runs the examples of the READMEs of the repository and of the gateway. Those of the other packages are run by packing/.
const ROOT = join(import.meta.dirname, '../../..')

describe('the README of the repository', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())

  it('shows calls that work when pasted', async () => {
    const shown = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const calls = [...shown.matchAll(/^curl [\s\S]*?'$/gm)].map(([call]) => call)
    expect(calls).toHaveLength(protocols.length)
    for (const call of calls) {
      const here = call.replace('http://127.0.0.1:8080', server.url).replace('$(cat data/local-key)', server.key)
      const { stdout } = await promisify(execFile)('bash', ['-c', here])
      expect(stdout).toMatch(/You asked: .*Why is the sky blue/)
    }
  })

  it('shows how each official SDK is used', async () => {
    const code = shownIn('README.md').replaceAll('http://127.0.0.1:8080', server.url)
    await run('root', `const apiKey = '${server.key}'\n${code}`)
    for (const path of ['chat/completions', 'v1/responses', 'v1/messages', 'chat-1:generateContent']) {
      await server.logged((entry) => String(entry['path']).endsWith(path) && entry['status'] === 200)
    }
  })
})

describe('the README of a package', () => {
  it('gateway: serves what it lists', async () => {
    const shown = await run('gateway', gatewayExample(0))
    const { fetch } = shown['default'] as { fetch: (request: Request) => Promise<Response> } // the form of a worker
    const models = await (await fetch(new Request('http://gateway/api/v1/models'))).text()
    expect(models).toContain('"id":"sim/chat-1"')
    expect(models).toContain('"id":"anthropic/')
    expect(await (await fetch(requestTo('http://gateway'))).text()).toMatch(/You asked: .*Hello/)
  })

  it('gateway: has stages that refuse a prompt and add a header', async () => {
    const code = `${gatewayExample(1)}
      import { createFetchHandler } from '@dragoman/gateway'
      export const handler = createFetchHandler(staged)`
    const { handler } = (await run('stages', code)) as { handler: (request: Request) => Promise<Response> } // as exported
    const good = await handler(requestTo('http://gateway'))
    expect([good.status, good.headers.get('x-served-by')]).toEqual([200, 'acme 200'])
    const refused = await handler(requestTo('http://gateway', 'Tell me about Project Falcon.'))
    expect([refused.status, refused.headers.get('x-served-by'), await refused.json()]).toMatchObject([
      403,
      'acme 403',
      { error: { message: 'This prompt is not allowed.', code: 'prompt_refused' } },
    ])
  })
})

/** The TypeScript of a README as one program. */
function shownIn(readme: string): string {
  return codeBlocks(join(ROOT, readme))
    .map(({ code }) => code)
    .join('\n')
}

async function run(name: string, code: string): Promise<{ readonly [name: string]: unknown }> {
  const file = writeBlock(join(import.meta.dirname, `../.vitest/readmes/${name}.ts`), code)
  return (await import(/* @vite-ignore */ file)) as { readonly [name: string]: unknown }
}

/** A program of the README of the gateway. */
function gatewayExample(index: number): string {
  return codeBlocks(join(ROOT, 'packages/gateway/README.md'))[index]?.code ?? ''
}

function requestTo(url: string, content = 'Hello'): Request {
  const body = JSON.stringify({ model: 'sim/messages-1', messages: [{ role: 'user', content }] })
  const headers = { authorization: 'Bearer sk-of-my-callers', 'content-type': 'application/json' }
  return new Request(`${url}/api/v1/chat/completions`, { method: 'POST', headers, body })
}
