import { keepVersion } from './kept/make.ts'

const USAGE = `npm run audit -- <command>

  keep <checkout>   keeps what the version of a checkout writes, in audit/kept: see audit/kept/README.md`

const [command, argument] = process.argv.slice(2)

// Servers and engines that were started end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

if (command === 'keep' && argument !== undefined) {
  console.log(`kept in ${await keepVersion(argument)}`)
} else {
  console.error(USAGE)
  process.exitCode = 2
}
