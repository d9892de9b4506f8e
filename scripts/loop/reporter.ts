import { appendFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters as plain } from 'node:util'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { ROOT } from '../sources.ts'
import { EVENTS_FILE, type Failure, type TestEvent } from './events.ts'

/** A reporter for vitest that writes its events into a folder, where the loop reads them while the tests run. */
export function createReporter(folder: string): Reporter {
  const write = (event: TestEvent): void => appendFileSync(join(folder, EVENTS_FILE), `${JSON.stringify(event)}\n`)
  const reported = new Set<string>()
  const report = (test: TestCase): void => {
    const { state, errors } = test.result()
    if (state !== 'failed' || reported.has(test.id)) return
    reported.add(test.id)
    write({ kind: 'test-failed', file: fileOf(test.module), name: test.fullName, errors: errors.map(failureOf) })
  }
  return {
    onTestModuleQueued: (module) => write({ kind: 'file-started', file: fileOf(module) }),
    onTestCaseResult: report,
    onTestModuleEnd(module) {
      // Vitest sometimes reports the end of a file before the results of its last tests.
      for (const test of module.children.allTests()) report(test)
      write(endOf(module))
    },
    onTestRunEnd: (_modules, errors) => write({ kind: 'run-ended', errors: errors.map(failureOf) }),
  }
}

function endOf(module: TestModule): TestEvent {
  const tests = [...module.children.allTests()]
  const count = (state: string): number => tests.filter((test) => test.result().state === state).length
  const { prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  const suites = [...module.children.allSuites()]
  return {
    kind: 'file-ended',
    file: fileOf(module),
    seconds: (prepareDuration + collectDuration + setupDuration + duration) / 1000,
    passed: count('passed'),
    failed: count('failed'),
    skipped: tests.filter((test) => test.result().state === 'skipped').map((test) => test.fullName),
    errors: [module, ...suites].flatMap((each) => each.errors()).map(failureOf),
  }
}

/** The parts of vitest's errors that are shown. Values that are thrown and are not errors have only some of them. */
type Thrown = {
  readonly name?: string
  readonly message?: string
  readonly stack?: string
  readonly diff?: string
  readonly cause?: unknown
}

function failureOf(error: Thrown): Failure {
  const { name = 'Error', message = '', stack = '', diff, cause } = error
  const at = stack
    .split('\n')
    .filter((line) => line.includes(ROOT) && !line.includes('/node_modules/'))
    .map((line) => relative(ROOT, line.replace(/^.*?\(?(?:file:\/\/)?(?=\/)|\?vitest=\d+|\)$/g, '')))[0]
  const isNamed = name === 'Error' || name === 'AssertionError'
  const because = isThrown(cause) && cause.message !== undefined ? `\ncaused by: ${cause.message}` : ''
  return {
    message: plain(`${isNamed ? '' : `${name}: `}${message}${because}`),
    ...(diff === undefined ? {} : { diff: plain(diff) }),
    ...(at === undefined ? {} : { at }),
  }
}

function isThrown(value: unknown): value is Thrown {
  return typeof value === 'object' && value !== null
}

function fileOf(module: TestModule): string {
  return relative(ROOT, module.moduleId)
}
