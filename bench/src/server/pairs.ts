import { fixed, markdownTable } from '../table.ts'
import { describeUncertainty } from '../uncertainty.ts'
import { compareBefore, describeYardsticks } from './report.ts'
import { voidOf } from './rules.ts'
import { type MeasuredLoads, type Measured } from './summary.ts'

/** A row in Markdown for every server, a column for every load, and what each load says about itself. */
export function tableOfPairs(loads: MeasuredLoads): string {
  const measured = Object.values(loads).filter((each) => each !== undefined)
  const names = [...new Set(measured.flatMap(({ found }) => found.map(({ subject }) => subject.name)))]
  const head = ['server', ...measured.map(({ workload }) => `${workload.title}: CPU µs, × yardstick`)]
  const rows = names.map((name) => [name, ...measured.map((each) => cellOf(each, name))])
  const notes = measured.flatMap(({ workload, found }) => [
    `- ${workload.title}: ${describeYardsticks(found)}`,
    ...compareBefore(found).map((line) => `- ${workload.title}: ${line}`),
  ])
  return [markdownTable(head, rows), '', ...notes].join('\n')
}

function cellOf({ workload, found }: Measured, name: string): string {
  const own = found.find(({ subject }) => subject.name === name)
  if (own === undefined) return '–'
  const { micros, gc } = own.middle
  const mark = voidOf(workload, own.middle) === undefined ? '' : ' (void)'
  const collecting = gc > 0.1 ? `, ${fixed(gc * 100, 0)} % GC` : ''
  const sure = describeUncertainty(own.ratio.uncertainty)
  return `${fixed(micros, workload.stream ? 1 : 0)}, ${fixed(own.ratio.value, 2)} ${sure}${collecting}${mark}`
}
