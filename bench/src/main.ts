import { printConverters } from './converters/run.ts'

const USAGE = `npm run bench -- converters [--quick]   converters against the JSON floor, in this process
npm run bench -- server [--quick]       servers against a bare node:http relay, over loopback`

const [command, ...options] = process.argv.slice(2)
const pace = options.includes('--quick') ? 'quick' : 'full'

switch (command) {
  case 'converters':
    printConverters(pace)
    break
  case 'server': {
    const { printServers } = await import('./server/run.ts')
    await printServers(pace)
    break
  }
  default:
    console.error(USAGE)
    process.exitCode = 1
}
