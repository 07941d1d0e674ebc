// The door of the activity room: the log of changes as a list, a history and a stream.
export { activityOperations } from './activity.operations.ts';
export { createReadRecorder, type RecordRead } from './reads.ts';
export { type ActivityStreams, createActivityStreams } from './streams.ts';
