import type { Client, Protocol, Run } from '../client.ts'
import { createAgent } from './agent.ts'

/** It does not speak Responses. */
type Spoken = Exclude<Protocol, 'responses'>

interface Mode {
  readonly auth: string
  readonly echoes: Client['echoes']
  readonly connect: string
  readonly env: (run: Run) => { readonly [name: string]: string }
}

const MODE_OF: Readonly<Record<Spoken, Mode>> = {
  chat: {
    auth: 'openai',
    echoes: 'signed calls',
    connect: `
export OPENAI_BASE_URL=http://127.0.0.1:8080/api/v1
export OPENAI_API_KEY=$(cat data/local-key)
qwen --auth-type openai -m anthropic/claude-sonnet-4.5`,
    env: ({ url, key }) => ({ OPENAI_BASE_URL: `${url}/api/v1`, OPENAI_API_KEY: key }),
  },
  messages: {
    auth: 'anthropic',
    echoes: 'signatures',
    connect: `
export ANTHROPIC_BASE_URL=http://127.0.0.1:8080/api/anthropic
export ANTHROPIC_API_KEY=$(cat data/local-key)
qwen --auth-type anthropic -m openai/gpt-5.4`,
    env: ({ url, key }) => ({ ANTHROPIC_BASE_URL: `${url}/api/anthropic`, ANTHROPIC_API_KEY: key }),
  },
  genai: {
    auth: 'gemini',
    echoes: 'signatures',
    connect: `
export GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:8080/api/vertex-ai
export GEMINI_API_KEY=$(cat data/local-key)
qwen --auth-type gemini -m openai/gpt-5.4`,
    env: ({ url, key }) => ({ GOOGLE_GEMINI_BASE_URL: `${url}/api/vertex-ai`, GEMINI_API_KEY: key }),
  },
}

export const qwenCodes = (['chat', 'messages', 'genai'] as const).map((protocol) => {
  const { auth, echoes, connect, env } = MODE_OF[protocol]
  return createAgent({
    name: `qwen-code-${protocol}`,
    title: `Qwen Code, \`${auth}\``,
    pins: 'qwen-code',
    program: 'qwen',
    protocol,
    echoes,
    connect,
    env,
    args: ({ model }, prompt, position) => [
      '--auth-type',
      auth,
      '-m',
      model,
      '-y',
      ...(position === 'next' ? ['--continue'] : []),
      '-p',
      prompt,
    ],
  })
})
