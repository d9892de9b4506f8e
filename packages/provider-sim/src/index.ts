export { createSim, type SimOptions } from './sim.ts'
