import { describeStore } from '../../src/store/conformance.ts'
import { openStore } from '../../src/store/openStore.ts'
import { temporaryDirectory } from '../temporary.ts'

describeStore('memory:', () => openStore('memory:'))
describeStore('file:', async () => openStore(`file:${await temporaryDirectory()}`))
