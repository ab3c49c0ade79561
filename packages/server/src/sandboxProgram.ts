import { checkFunctions } from './flags/variables/checkFunctions.ts'
import { serveTasks } from './lib/sandbox/serveTasks.ts'

// The program of the process in which the server checks values by schemas of users.
serveTasks(checkFunctions)
