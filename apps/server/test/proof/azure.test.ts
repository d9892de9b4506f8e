import { mkdtempSync, rmSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAzure, type Azure } from '../azure.ts'
import { anthropic } from '../clients/anthropic.ts'
import { openai } from '../clients/openai.ts'
import { openaiResponses } from '../clients/responses.ts'
import { startServer, type ServerProcess } from '../process.ts'
import { TOOLS, WEATHER } from './scene.ts'
import { DELIVERIES } from './stage.ts'

const KEY = 'azure-key-1'
const THOUGHT = { reasoning: 'I need the weather, surely.' }

/** The configurations of the documentation. */
const [, section = ''] =
  /\n## Azure OpenAI\n([\s\S]+?)\n## /.exec(
    readFileSync(join(import.meta.dirname, '../../../../docs/configuration.md'), 'utf8'),
  ) ?? []
const FILES = [...section.matchAll(/```yaml\n([\s\S]+?)```/g)].map(([, yaml = '']) => yaml)

describe.each([
  {
    title: 'as OpenAI',
    file: 0,
    header: ['authorization', `Bearer ${KEY}`],
    model: 'openai/gpt-5.5',
    sent: 'gpt-5.5',
    renamed: 'openai/gpt-5.4',
  },
  {
    title: 'as a provider of its own',
    file: 1,
    header: ['api-key', KEY],
    model: 'azure/my-gpt-5',
    sent: 'my-gpt-5',
    renamed: 'azure/gpt-4.1',
  },
])('Azure $title, as documented', ({ file, header, model, sent, renamed }) => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-azure-'))
  let azure: Azure
  let server: ServerProcess
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  beforeAll(async () => {
    azure = await createAzure(KEY)
    const path = join(folder, 'dragoman.yaml')
    writeFileSync(path, (FILES[file] ?? '').replace('https://my-resource.openai.azure.com', azure.url))
    server = await startServer({ DRAGOMAN_CONFIG: path, AZURE_OPENAI_API_KEY: KEY, DRAGOMAN_LOG: 'silent' })
  })
  afterAll(async () => {
    await azure.close()
    await server.stop()
  })

  it.each(DELIVERIES)('relays chat and Responses to the deployment, %s', async (delivery) => {
    for (const [client, double] of [
      [openai, azure.chat],
      [openaiResponses, azure.responses],
    ] as const) {
      double.play({ parts: [{ text: 'Hello.' }] })
      const { text, headers } = await client.converse(server, { model, delivery }).send('Hi')
      expect([text, headers.get('x-dragoman-path')]).toEqual(['Hello.', 'relay'])
      expect(double.received.map(({ body }) => body['model'])).toEqual([sent])
    }
    expect(azure.keys.at(-1)).toEqual(header)
  })

  it.each(DELIVERIES)('keeps reasoning across turns of a messages client, %s', async (delivery) => {
    azure.responses.play({ parts: [THOUGHT, WEATHER] }, { parts: [{ text: 'Warm.' }] })
    const conversation = anthropic.converse(server, { model, delivery, tools: TOOLS, thinks: true })
    expect(await conversation.send('How is the weather?')).toMatchObject({ reasoning: THOUGHT.reasoning })
    expect(await conversation.sendResults(() => '21 degrees')).toMatchObject({ text: 'Warm.' })
    const [, second] = azure.responses.received
    const seal = azure.responses.seal(THOUGHT.reasoning)
    expect(second?.body['input']).toContainEqual(expect.objectContaining({ encrypted_content: seal }))
    expect(azure.responses.refused).toEqual([])
  })

  it('calls a deployment that has another name', async () => {
    azure.chat.play({ parts: [{ text: 'Hello.' }] })
    await openai.converse(server, { model: renamed, delivery: 'whole' }).send('Hi')
    expect(azure.chat.received.map(({ body }) => body['model'])).toEqual(['my-deployment'])
  })
})
