import { parseArgs } from 'node:util'
import { keepVersion } from './kept/make.ts'
import { runScenario } from './run-scenario.ts'
import { SCENARIOS } from './scenarios.ts'

const USAGE = `npm run audit -- <command>

  list                     the names of all scenarios, what each tries, and what must hold
  <name>… [--short]        runs scenarios; the code is 1 if a rule does not hold
  all [--short]            runs all of them
    --checkout <folder>    attacks the server of another checkout
  keep <checkout>          keeps what the version of a checkout writes: see audit/kept/README.md`

// Servers and engines that were started end with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))

process.exitCode = await main()
// Connections to a server that was killed may still be open.
process.exit()

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { short: { type: 'boolean', default: false }, checkout: { type: 'string' } },
  })
  const [command, argument] = positionals
  if (command === 'list') return list()
  if (command === 'keep' && argument !== undefined) {
    console.log(`kept in ${await keepVersion(argument)}`)
    return 0
  }
  const chosen = SCENARIOS.filter(({ name }) => command === 'all' || positionals.includes(name))
  const unknown = positionals.filter((name) => name !== 'all' && SCENARIOS.every((scenario) => scenario.name !== name))
  if (chosen.length === 0 || unknown.length > 0) {
    console.error(unknown.length > 0 ? `There is no scenario ${unknown.join(', ')}.\n\n${USAGE}` : USAGE)
    return 2
  }
  let broken = 0
  for (const scenario of chosen) {
    console.log(`\n${scenario.name}: ${scenario.attack}`)
    const began = performance.now()
    const findings = await runScenario(scenario, {
      size: values.short ? 'short' : 'full',
      root: values.checkout,
      onFinding: ({ rule, holds, seen }) =>
        console.log(`  ${holds ? 'holds ' : 'BROKEN'} ${rule}${seen === '' ? '' : `: ${seen}`}`),
    })
    broken += findings.filter(({ holds }) => !holds).length
    console.log(`  ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
  console.log(broken === 0 ? '\nEvery rule holds.' : `\n${broken} ${broken === 1 ? 'rule is' : 'rules are'} broken.`)
  return broken === 0 ? 0 : 1
}

function list(): number {
  for (const { name, attack, rule } of SCENARIOS) console.log(`${name}\n  ${attack}\n  ${rule}\n`)
  return 0
}
