export { type MockOptions, type Received, startMock } from './mock-server.ts'
export { type Choice, type Frame, readScenario, type Scenario, type Step } from './scenario.ts'
