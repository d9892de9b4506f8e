import type { Client, Protocol } from './client.ts'
import { INSTALL_DRIVER_OF } from './languages/drivers.ts'
import { GO_LIBRARIES } from './libraries/go.ts'
import { JAVA_LIBRARIES } from './libraries/java.ts'
import { JAVASCRIPT_LIBRARIES } from './libraries/javascript.ts'
import type { Library, LibraryProtocol } from './libraries/library.ts'
import { PYTHON_LIBRARIES } from './libraries/python.ts'
import { PROTOCOLS } from './scenarios.ts'

const LIBRARIES: readonly Library[] = [...JAVASCRIPT_LIBRARIES, ...PYTHON_LIBRARIES, ...GO_LIBRARIES, ...JAVA_LIBRARIES]

/** The libraries of the suite, one client for each protocol. */
export const LIBRARY_CLIENTS: readonly Client[] = LIBRARIES.flatMap((library) =>
  PROTOCOLS.flatMap((protocol) => {
    const details = library.protocols[protocol]
    return details === undefined ? [] : [createLibraryClient(library, protocol, details)]
  }),
)

function createLibraryClient(library: Library, protocol: Protocol, details: LibraryProtocol): Client {
  const { name, title, language, driver, upstreams } = library
  return {
    name: `${name}-${protocol}`,
    title: `${title}, ${protocol}`,
    language,
    kind: 'library',
    protocol,
    upstreams,
    ...details,
    async install() {
      const { versions, program, args } = await INSTALL_DRIVER_OF[language](name, driver)
      return {
        versions,
        commands: ({ url, key, model, scenario, stream }) => [
          {
            program,
            args,
            env: {
              CLIENT_BASE_URL: url,
              CLIENT_KEY: key,
              CLIENT_MODEL: model,
              CLIENT_PROTOCOL: protocol,
              CLIENT_SCENARIO: scenario,
              CLIENT_STREAM: stream ? '1' : '0',
            },
          },
        ],
      }
    },
  }
}
