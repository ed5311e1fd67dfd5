import { mergeIds, mergeParts, type ThreeStates } from '../../../../shared/form/conflict/three-states.ts';
import type { AppFormValues } from '../../configurator/app-form-values.ts';

/**
 * The form as it is saved over somebody else's changes: every field that I changed is mine, all others stay as they
 * saved them, so that nothing of either is lost but where both changed the same field.
 */
export function mergeValues(states: ThreeStates<AppFormValues>): AppFormValues {
  const { loaded, theirs, mine } = states;
  return {
    ...mergeParts(states),
    keys: mergeParts({ loaded: loaded.keys, theirs: theirs.keys, mine: mine.keys }),
    response_message: mergeParts({ loaded: loaded.response_message, theirs: theirs.response_message, mine: mine.response_message }),
    userIds: mergeIds({ loaded: loaded.userIds, theirs: theirs.userIds, mine: mine.userIds }),
  };
}
