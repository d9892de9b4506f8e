import { acceptBatchEmbed, acceptChatEmbeddings, acceptEmbedContent } from '@dragoman/testkit'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An upstream that computes embeddings in both families, and refuses what the real ones refuse. */
export interface EmbeddingUpstream {
  readonly url: string
  readonly received: { path: string; body: Body }[]
  close(): void
}

type Body = { readonly [member: string]: unknown }

export async function startEmbeddingUpstream(): Promise<EmbeddingUpstream> {
  const received: EmbeddingUpstream['received'] = []
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const path = request.url ?? ''
      received.push({ path, body })
      try {
        const answer = path.endsWith('/embeddings') ? answerChat(body) : answerGenai(path, body)
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      } catch (error) {
        const message = String(error)
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** An embedding that shows what it was computed from: the length of the text, and a fraction that float32 rounds. */
export function embeddingOf(text: string, dimensions = 4): number[] {
  return Array.from({ length: dimensions }, (_, index) => Math.fround(text.length + index / 10))
}

function answerChat(body: Body): object {
  acceptChatEmbeddings(body)
  const { input, dimensions, encoding_format: format, model } = body
  const inputs =
    typeof input === 'string' || typeof (input as unknown[])[0] === 'number' ? [input] : (input as unknown[])
  const data = inputs.map((each, index) => {
    const values = embeddingOf(String(each), dimensions as number | undefined)
    const embedding = format === 'base64' ? Buffer.from(Float32Array.from(values).buffer).toString('base64') : values
    return { object: 'embedding', index, embedding }
  })
  const usage = { prompt_tokens: inputs.length, total_tokens: inputs.length }
  return { object: 'list', data, model, usage }
}

interface Entry {
  readonly content: { readonly parts: readonly { readonly text: string }[] }
  readonly outputDimensionality?: number
  readonly embedContentConfig?: { readonly outputDimensionality?: number }
}

function answerGenai(path: string, body: Body): object {
  if (path.endsWith(':batchEmbedContents')) {
    acceptBatchEmbed(body)
    const requests = body['requests'] as readonly Entry[] // accepted
    return { embeddings: requests.map(embedEntry), usageMetadata: { promptTokenCount: requests.length } }
  }
  acceptEmbedContent(body)
  return {
    embedding: embedEntry({ content: body['content'] as Entry['content'], ...body }),
    usageMetadata: { promptTokenCount: 1 },
  } // accepted
}

function embedEntry({ content, outputDimensionality, embedContentConfig }: Entry): { values: number[] } {
  const text = content.parts.map((part) => part.text).join('\n')
  return { values: embeddingOf(text, outputDimensionality ?? embedContentConfig?.outputDimensionality) }
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Body
}
