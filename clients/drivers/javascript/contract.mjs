// What every JavaScript driver does, see ../../README.md. A driver exports nothing: it calls `drive`.
const {
  CLIENT_BASE_URL: url,
  CLIENT_KEY: key,
  CLIENT_MODEL: model,
  CLIENT_PROTOCOL: protocol,
  CLIENT_SCENARIO: scenario,
  CLIENT_STREAM,
} = process.env

export const settings = { url, key, model, protocol, stream: CLIENT_STREAM === '1' }

const QUESTION = 'Why is the sky blue?'
const WEATHER = 'What is the weather in Paris and in Rome?'
const PROMPTS_OF = {
  question: [QUESTION],
  tools: [WEATHER],
  session: [QUESTION, WEATHER, 'And at night?', 'And on Mars?'],
  limit: [QUESTION],
  abort: [QUESTION],
}

let calls = 0

/** The tool of the scenarios. */
export const weather = {
  name: 'get_weather',
  description: 'The weather in a city.',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
  run: ({ city }) => {
    calls++
    return `Sunny in ${city}`
  },
}

/**
 * Runs the scenario. `converse` begins a conversation and returns a function that sends a prompt and gives the text of the answer.
 * `tools` says whether the tool is offered and thinking is enabled, `signal` and `onText` are for the scenario abort.
 */
export async function drive(converse) {
  const controller = new AbortController()
  const isAbort = scenario === 'abort'
  const options = {
    tools: scenario === 'tools' || scenario === 'session',
    stream: settings.stream || isAbort,
    ...(isAbort ? { signal: controller.signal, onText: () => controller.abort() } : {}),
  }
  let text = ''
  try {
    const ask = await converse(options)
    for (const prompt of PROMPTS_OF[scenario]) text = await ask(prompt)
    report({ text: isAbort ? '' : text })
  } catch (error) {
    report(isAbort && controller.signal.aborted ? { text: '' } : { text, error: describe(error) })
  }
}

function report(result) {
  process.stdout.write(`\n${JSON.stringify({ ...result, calls })}\n`, () => process.exit(0))
}

/** Libraries wrap the errors of others: the first status on the way down. */
function describe(error) {
  for (let one = error; one !== undefined && one !== null; one = one.cause ?? one.lastError) {
    const status = one.status ?? one.statusCode ?? one.response?.status
    if (typeof status === 'number') return { status, type: one.name, message: String(one.message) }
  }
  return { type: error?.name, message: String(error?.message ?? error) }
}
