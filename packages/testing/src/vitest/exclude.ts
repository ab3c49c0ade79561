import { configDefaults } from 'vitest/config'
import { isFull } from '../scale.ts'

/**
 * What a run leaves out. `npm test` leaves out the files that start many processes, wait, or send thousands of
 * requests; `npm run test:full` runs them.
 */
export const exclude = isFull ? configDefaults.exclude : [...configDefaults.exclude, '**/*.slow.test.ts']
