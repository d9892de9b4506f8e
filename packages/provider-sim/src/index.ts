export type { Delivery } from './deliver.ts'
export { createSim, createSimAnswers, type SimOptions } from './sim.ts'
export type { SimOffload, SimCall } from './transport.ts'
