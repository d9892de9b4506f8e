// The server as a process of a test.
import './end-with-parent.ts'
import '../src/main.ts'
