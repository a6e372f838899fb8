import { maxTimeout } from '../../core/timeout.js'
import { createTransferBudget } from '../node/transfer-budget.js'

/** Runs a write when it is its turn. */
export type InTurn = (write: () => Promise<void>) => Promise<void>

// Node.js has four threads for files and names of hosts by default: reads must find one where a disk is slow, or its writes stall. So
// all stores of the process write two files at a time, and each store one, since another may be on a disk that works.
const ofAll = createTransferBudget({ max: 2 })

/** Creates the turns of one store. */
export function createWriteTurns(): InTurn {
  const ofStore = createTransferBudget({ max: 1 })
  return (write) => ofStore(1, maxTimeout, () => ofAll(1, maxTimeout, write)) as Promise<void>
}
