import { leaveWasmUnoptimized } from '../../src/lean-wasm.ts'

leaveWasmUnoptimized()
