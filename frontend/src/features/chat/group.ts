// Conversations grouped by when they were last used.
import type { Conversation } from '../../api';
import { daysBetween, instant } from '../../text/time';

export interface ConversationGroup {
  name: 'pinned' | 'today' | 'yesterday' | 'earlier';
  conversations: Conversation[];
}

export function groupConversations(all: readonly Conversation[], now: Date): ConversationGroup[] {
  const groups: Record<ConversationGroup['name'], Conversation[]> = {
    pinned: [],
    today: [],
    yesterday: [],
    earlier: [],
  };
  const newest = [...all].sort((a, b) => time(b) - time(a));
  for (const conversation of newest) {
    const days = daysBetween(new Date(time(conversation)), now);
    if (conversation.pinned) groups.pinned.push(conversation);
    else if (days <= 0) groups.today.push(conversation);
    else if (days === 1) groups.yesterday.push(conversation);
    else groups.earlier.push(conversation);
  }
  return (['pinned', 'today', 'yesterday', 'earlier'] as const)
    .map((name) => ({ name, conversations: groups[name] }))
    .filter((group) => group.conversations.length > 0);
}

function time(conversation: Conversation): number {
  return (instant(conversation.updated) ?? instant(conversation.created) ?? new Date(0)).getTime();
}
