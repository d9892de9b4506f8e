const USAGE = `npm run bench -- converters [--quick] [--only <pair>] [--before <commit>] [--record <name>]
                                        converters against the JSON floor, in several processes; at most 4 minutes with --only or --before
npm run bench -- server [--quick] [--only <text>] [--before <commit>] [--load <small | large | tokens | memory>] [--record <name>]
                                        servers against a minimal node:http relay, over loopback; at most 15 minutes, 4 with an option
npm run bench -- heap [--only <text>] [--record <why>]   heap growth per 1,000 operations, compared with recorded figures
npm run bench -- soak [--quick]         apps/server with a thousand streams, and with clients that do not read
npm run bench -- stalls [--quick] [--only <pair>]   how long a large body blocks the server
npm run bench -- images                 memory and stalls of images of 20 MB
npm run bench -- stages [--quick]       what three empty stages add to a call, inside one process
npm run bench -- accounts [--quick] [--records <number>]   the store in an SQLite file: CPU, stalls, size, start
npm run bench -- books [--quick] [--records <number>]   calls while old records are deleted and reports are made
npm run bench -- embeddings [--quick]   a full batch of embeddings against its JSON
npm run bench -- serve <upstream | relay | dispatch | gateway | paced> <port> [upstream port]   a single server, for a profiler`

const [command, ...options] = process.argv.slice(2)
const pace = options.includes('--quick') ? 'quick' : 'full'
const valueOf = (name: string): string | undefined =>
  options.includes(name) ? options[options.indexOf(name) + 1] : undefined

const record = options.includes('--record') ? (valueOf('--record') ?? '') : undefined

// Every started process has a listener that ends it with this one, and there are many.
process.setMaxListeners(0)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

switch (command) {
  case 'converters': {
    const { printConverters } = await import('./converters/run.ts')
    await printConverters({ pace, only: valueOf('--only'), before: valueOf('--before'), record })
    break
  }
  case 'converters-pass': {
    const { PACE_OF } = await import('./converters/run.ts')
    const { printPass } = await import('./converters/pass.ts')
    const [, measuring] = Object.entries(PACE_OF).find(([name]) => name === options[0]) ?? []
    const [only, checkout] = [valueOf('--only'), valueOf('--before')]
    await printPass(measuring ?? PACE_OF.quick, { seed: Number(valueOf('--seed')), only, checkout })
    break
  }
  case 'server': {
    const { printServers } = await import('./server/run.ts')
    await printServers({ pace, only: valueOf('--only'), before: valueOf('--before'), load: valueOf('--load'), record })
    break
  }
  case 'heap': {
    const { printHeap } = await import('./heap/run.ts')
    await printHeap({ record, only: valueOf('--only') })
    break
  }
  case 'heap-survivors': {
    const { printSurvivors } = await import('./heap/survivors.ts')
    await printSurvivors(options.includes('--planted'))
    break
  }
  case 'heap-case': {
    const { printCase } = await import('./heap/measure.ts')
    const [name = '', plantedBytes] = options
    await printCase(name, Number(plantedBytes))
    break
  }
  case 'heap-short': {
    const { printShort } = await import('./heap/short.ts')
    await printShort(Number(options[0]))
    break
  }
  case 'soak': {
    const { printSoak } = await import('./soak/run.ts')
    await printSoak(pace)
    break
  }
  case 'stalls': {
    const { printStalls } = await import('./stalls/run.ts')
    await printStalls(pace, valueOf('--only'))
    break
  }
  case 'images': {
    const { printImages } = await import('./images/run.ts')
    await printImages()
    break
  }
  case 'images-server': {
    const { serveImages } = await import('./images/server.ts')
    const [port, upstreamPort] = options
    await serveImages(Number(port), Number(upstreamPort))
    break
  }
  case 'stages': {
    const { printStages } = await import('./stages/run.ts')
    await printStages(pace)
    break
  }
  case 'accounts': {
    const { printAccounts } = await import('./accounts/run.ts')
    const records = valueOf('--records')
    await printAccounts(pace, records === undefined ? undefined : Number(records))
    break
  }
  case 'books': {
    const { printBooks } = await import('./accounts/print-books.ts')
    const records = valueOf('--records')
    await printBooks(pace, records === undefined ? undefined : Number(records))
    break
  }
  case 'embeddings': {
    const { printEmbeddings } = await import('./embeddings/run.ts')
    await printEmbeddings(pace)
    break
  }
  case 'serve': {
    const { serveRole } = await import('./server/roles.ts')
    const [role = '', port, upstreamPort] = options
    await serveRole(role, Number(port), Number(upstreamPort))
    break
  }
  default:
    console.error(USAGE)
    process.exitCode = 1
}
